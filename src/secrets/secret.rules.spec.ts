import { describe, expect, it } from 'vitest';

import type { WorkspaceCaller } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { MAX_VALUE_BYTES, allowEnvProblem, valueProblem, valueWarning } from './secret.rules.js';

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
