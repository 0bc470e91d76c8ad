import { describe, expect, it } from 'vitest';

import { Problem } from '../../api/problem.js';
import { restOf, serverErrors } from './server-errors.js';

const problem = new Problem({
  message: 'inputs.city: is required',
  details: [
    { path: 'inputs.city', message: 'is required' },
    { path: 'inputs.people.0.a.b', message: 'must be integer' },
    { path: 'slug', message: 'is not known' },
  ],
});
const sent = { people: [{ 'a.b': 'x' }] };

describe('serverErrors', () => {
  it('puts each message at its field, and knows names with dots', () => {
    expect(serverErrors(problem, sent, sent)).toEqual({
      city: { __errors: ['Is required.'] },
      people: { 0: { 'a.b': { __errors: ['Must be integer.'] } } },
    });
  });

  it('says nothing more of a field that has been changed since', () => {
    expect(serverErrors(problem, sent, { ...sent, city: 'Berlin' })).not.toHaveProperty('city');
  });

  it('leaves the rest for a notice', () => {
    expect(restOf(problem, sent)).toEqual([{ path: 'slug', message: 'is not known' }]);
  });
});
