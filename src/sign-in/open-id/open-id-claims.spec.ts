import { describe, expect, it } from 'vitest';

import { authenticatedAt, joinedClaims, personOf } from './open-id-claims.js';

describe('what a provider says', () => {
  it('takes an address and whether it is verified from one place', () => {
    const idToken = { sub: 'a', email: 'victim@acme.example' };
    const userInfo = { sub: 'b', email: 'own@acme.example', email_verified: true, groups: ['x'] };
    const claims = joinedClaims(idToken, userInfo);
    expect(claims).toMatchObject({ sub: 'a', email: 'victim@acme.example', groups: ['x'] });
    expect(personOf(claims).emailVerified).toBe(false);
    const elsewhere = personOf(
      joinedClaims({ sub: 'a', email_verified: true }, { email: 'own@acme.example' }),
    );
    expect(elsewhere).toMatchObject({ email: 'own@acme.example', emailVerified: false });
  });

  it.each([true, 'true', 'True', 1, '1'])('is of a verified address where it says %j', (email_verified) => {
    expect(personOf({ email: 'a@acme.example', email_verified }).emailVerified).toBe(true);
  });

  it.each([false, 'false', '', 'yes', 0, 2, null, undefined, [true]])(
    'is of no verified address where it says %j',
    (said) => {
      expect(personOf({ email: 'a@acme.example', email_verified: said }).emailVerified).toBe(false);
    },
  );

  it('is fresh as far as it says when', () => {
    const now = 1_800_000_000_000;
    const at = (seconds: unknown) => authenticatedAt({ auth_time: seconds }, 3600, now);
    expect(at(now / 1000 - 3600)).toEqual(new Date(now - 3_600_000));
    expect(at(undefined)).toBeNull();
    expect(at('1800000000')).toBeNull();
    expect(() => at(now / 1000 - 3700)).toThrow('too long ago');
  });
});
