import { expect, it } from 'vitest';

import { Problem } from '../../../api/problem.js';
import { atFields, drawnSchema, knownValues } from './form-values.js';

const schema = {
  type: 'object',
  properties: { days: { type: 'integer' }, token: { type: 'string', writeOnly: true } },
};

it('draws secrets unseen, and says that they stay', () => {
  const { days, token } = drawnSchema(schema)['properties'] as Record<string, Record<string, unknown>>;
  expect(days).toEqual({ type: 'integer' });
  expect(token).toMatchObject({ format: 'password', description: expect.stringContaining('stays') });
});

it('takes the values that it has fields for, and no secret', () => {
  const given = { days: 3, token: 'a secret', other: 1, __proto__: {} };
  expect(knownValues(given, schema)).toEqual({ days: 3 });
  expect(knownValues({ days: null }, schema)).toEqual({});
  expect(knownValues('nonsense', schema)).toEqual({});
});

it('has problems at their fields, and leaves all others where they are', () => {
  const details = [
    { path: 'days', message: 'must be positive' },
    { path: 'x-workspace', message: 'is missing' },
  ];
  const problem = atFields(new Problem({ message: 'No.', details }), schema) as Problem;
  expect(problem.details.map(({ path }) => path)).toEqual(['inputs.days', 'x-workspace']);
  expect(problem.message).toBe('No.');
});
