import { describe, expect, it } from 'vitest';

import type { WorkspaceCaller } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { MAX_VALUE_BYTES, allowEnvProblem, kindProblem, valueProblem, valueWarning } from './secret.rules.js';

const environment = {
  id: 'env_1',
  name: 'staging',
  approvalPolicy: 'none',
  agentsAllowed: true,
  isDefault: false,
} as const;

const caller = (role: Role, personId: string | null, bound = false) => ({
  role,
  bound,
  environment,
  person:
    personId === null ? null : ({ id: personId, name: '', email: '' } satisfies WorkspaceCaller['person']),
});

describe('allowEnvProblem', () => {
  const closed = { allowEnv: false, createdByUserId: 'usr_1' };
  const open = { ...closed, allowEnv: true };

  it.each([
    ['owner', 'usr_2', true],
    ['admin', 'usr_2', true],
    ['member', 'usr_1', true],
    ['member', 'usr_2', false],
  ] as const)('opening by %s %s: %s', (role, person, allowed) => {
    expect(allowEnvProblem(caller(role, person), closed, true) === null).toBe(allowed);
  });

  it('lets an API key open as the admin that it acts as, and closing and repeating by everybody', () => {
    expect(allowEnvProblem(caller('admin', null), closed, true)).toBeNull();
    expect(allowEnvProblem(caller('member', 'usr_2'), open, false)).toBeNull();
    expect(allowEnvProblem(caller('member', 'usr_2'), open, true)).toBeNull();
  });

  it('is not for nobody: a secret that a key made has no person', () => {
    const byKey = { allowEnv: false, createdByUserId: null };
    expect(allowEnvProblem(caller('member', null), byKey, true)).toMatch(/Only the person/);
    expect(allowEnvProblem(caller('member', 'usr_1'), byKey, true)).toMatch(/Only the person/);
  });

  it('lets whoever makes a secret say what it is for', () => {
    expect(allowEnvProblem(caller('member', 'usr_2'), null, true)).toBeNull();
  });

  it('lets a bound key change nothing of it, in a new secret either', () => {
    const bound = caller('admin', null, true);
    expect(allowEnvProblem(bound, closed, true)).toMatch(/staging/);
    expect(allowEnvProblem(bound, open, false)).toMatch(/staging/);
    expect(allowEnvProblem(bound, null, true)).toMatch(/staging/);
    expect(allowEnvProblem(bound, open, true)).toBeNull();
    expect(allowEnvProblem(bound, null, false)).toBeNull();
  });
});

describe('valueProblem', () => {
  it('takes 1 to 65,536 bytes of whatever text', () => {
    expect(valueProblem('')).toMatch(/empty/);
    expect(valueProblem(' ')).toBeNull();
    expect(valueProblem('a'.repeat(MAX_VALUE_BYTES))).toBeNull();
    expect(valueProblem('a'.repeat(MAX_VALUE_BYTES + 1))).toMatch(/65536/);
    expect(valueProblem('é'.repeat(MAX_VALUE_BYTES / 2 + 1))).toMatch(/65536/);
  });
});

describe('valueWarning', () => {
  it.each([
    ['12345', true],
    ['123456', false],
    ['😀😀😀', true],
  ])('%s: %s', (value, warns) => expect(valueWarning(value) !== null).toBe(warns));
});

describe('kindProblem', () => {
  const keys = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  };

  it('takes any text, and keys with or without a token', () => {
    expect(kindProblem('text', '{')).toBe(null);
    expect(kindProblem('aws', JSON.stringify(keys))).toBe(null);
    expect(kindProblem('aws', JSON.stringify({ ...keys, sessionToken: 'FwoGZXIvYXdzEJr//==' }))).toBe(null);
  });

  it.each<[unknown, string]>([
    ['AKIAIOSFODNN7EXAMPLE', 'must be JSON with accessKeyId and secretAccessKey'],
    [null, 'must be JSON'],
    [[keys], 'must be JSON'],
    [
      { AccessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
      'must have no other fields than accessKeyId, secretAccessKey, sessionToken',
    ],
    [{ accessKeyId: keys.accessKeyId }, 'must have secretAccessKey, a text'],
    [{ ...keys, accessKeyId: 'AKIA' }, 'an accessKeyId that is not 6 to 256 characters long'],
    [{ ...keys, secretAccessKey: 'short' }, 'a secretAccessKey that is not 6 to 256'],
    [{ ...keys, accessKeyId: 'AKIAIOSFODNN7/us' }, 'characters in accessKeyId that no key has'],
    [{ ...keys, secretAccessKey: 'with a line\nbreak' }, 'characters in secretAccessKey'],
    [{ ...keys, sessionToken: '' }, 'a sessionToken that is not'],
    [{ ...keys, sessionToken: null }, 'must have sessionToken, a text'],
  ])('refuses %j', (value, problem) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(kindProblem('aws', text)).toContain(problem);
    expect(kindProblem('aws', text)).not.toContain('wJalr');
  });
});
