import { describe, expect, it } from 'vitest';

import type { CallerKind } from './caller.js';
import { assertMayLoosen } from './may-loosen.js';
import type { Role } from './roles.js';

describe('assertMayLoosen', () => {
  const caller = (kind: CallerKind, role: Role) => ({
    kind,
    role,
    credentialId: 'x',
    credentialName: null,
    person: null,
    scopes: null,
    scriptChoice: null,
    confirmed: true,
    stepUpMinutes: null,
  });

  it.each<[CallerKind, Role, boolean]>([
    ['session', 'owner', true],
    ['personal_token', 'admin', true],
    ['session', 'member', false],
    ['api_key', 'admin', false],
    ['agent', 'owner', false],
  ])('%s as %s: %s', (kind, role, may) => {
    const attempt = () => assertMayLoosen(caller(kind, role), ['script.access']);
    if (may) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(/This widens access, which takes an owner or admin in person/);
    expect(() => assertMayLoosen(caller(kind, role), [])).not.toThrow();
  });

  it.each<[CallerKind, RegExp]>([
    ['session', /auth\/confirm/],
    ['personal_token', /A token cannot/],
  ])('asks a %s whether it is them, where the workspace wants so', (kind, message) => {
    const before = { ...caller(kind, 'owner'), stepUpMinutes: 5 };
    expect(() => assertMayLoosen(before, ['script.access'])).toThrow(message);
    expect(() => assertMayLoosen(before, [])).not.toThrow();
  });

  it('takes no model for a person, whatever token it has', () => {
    const byModel = { ...caller('personal_token', 'owner'), overMcp: true as const };
    expect(() => assertMayLoosen(byModel, ['script.access'])).toThrow(/in person/);
  });
});
