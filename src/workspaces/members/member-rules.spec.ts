import { describe, expect, it } from 'vitest';

import { type Role, ROLES } from '../../core/access/index.js';
import { Conflict, Forbidden } from '../../core/errors/index.js';
import { assertMayChange, assertOwnerStays } from './member-rules.js';

describe('who may change what somebody is', () => {
  const mayChange = (role: Role, involved: Role[]): boolean => {
    try {
      assertMayChange(role, involved);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Forbidden);
      return false;
    }
  };

  it('is an owner, whatever it is about', () => {
    for (const before of ROLES)
      for (const after of ROLES) expect(mayChange('owner', [before, after])).toBe(true);
  });

  it('is an admin, unless it is about an owner', () => {
    for (const before of ROLES) {
      for (const after of ROLES) {
        expect(mayChange('admin', [before, after])).toBe(before !== 'owner' && after !== 'owner');
      }
    }
  });

  it('is nobody else', () => {
    for (const role of ['member', 'guest'] as const) expect(mayChange(role, ['guest'])).toBe(false);
  });
});

describe('the last owner', () => {
  it('neither leaves nor becomes something else', () => {
    for (const after of ['admin', 'member', 'guest', null] as const) {
      expect(() => assertOwnerStays('owner', after, false)).toThrow(Conflict);
      expect(() => assertOwnerStays('owner', after, true)).not.toThrow();
      expect(() => assertOwnerStays('admin', after, false)).not.toThrow();
    }
    expect(() => assertOwnerStays('owner', 'owner', false)).not.toThrow();
  });
});
