import { describe, expect, it } from 'vitest';

import { loosened, type SecretLimits, type SecretReach } from './secret.loosening.js';

const nothing: SecretLimits = { allowEnv: null, hosts: null, source: null, reference: null };
const stored: SecretLimits = { ...nothing, allowEnv: false, hosts: ['*.a.com'] };
const read: SecretLimits = { ...stored, source: 'vault', reference: 'a#b' };
const value: SecretReach = { allowEnv: false, hosts: ['x.a.com'], source: null, reference: null };
const named: SecretReach = { ...value, source: 'vault', reference: 'a#b' };

describe('what a change of a secret opens further', () => {
  it.each<[string, SecretLimits, SecretReach, string[]]>([
    ['a new one', nothing, { ...value, allowEnv: true, hosts: ['any.com'] }, []],
    ['a new one, read from a source', nothing, named, ['secret.source']],
    ['a value, and fewer hosts', stored, value, []],
    ['another host', stored, { ...value, hosts: ['x.a.com', 'b.com'] }, ['secret.hosts']],
    ['allowEnv', stored, { ...value, allowEnv: true }, ['secret.allow_env']],
    ['allowEnv again', { ...stored, allowEnv: true }, { ...value, allowEnv: true }, []],
    ['a source', stored, named, ['secret.source']],
    ['the same reference', read, named, []],
    ['another reference', read, { ...named, reference: 'a#c' }, ['secret.source']],
    ['a value instead', read, value, []],
    [
      'all',
      stored,
      { ...named, allowEnv: true, hosts: ['b.com'] },
      ['secret.allow_env', 'secret.hosts', 'secret.source'],
    ],
  ])('%s', (_, before, after, loosenings) => {
    expect(loosened(before, after)).toEqual(loosenings);
  });
});
