import { expect, it } from 'vitest';

import { awsFailure } from './aws-failure.js';

it('has words for the errors that AWS names', () => {
  const error = Object.assign(new Error('arn:aws:…'), { name: 'AccessDeniedException' });
  expect(awsFailure(error).message).toBe('AWS Secrets Manager does not let this Gatehouse read the secret.');
});

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
  'says the status of an error that a store calls "%s"',
  (name) => {
    const error = Object.defineProperty(new Error('x'), 'name', { value: name });
    const failure = awsFailure(Object.assign(error, { $metadata: { httpStatusCode: 418 } }));
    expect(failure.message).toBe('AWS Secrets Manager refuses the request (status 418).');
  },
);
