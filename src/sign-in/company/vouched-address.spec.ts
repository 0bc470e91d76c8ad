import { describe, expect, it } from 'vitest';

import type { OidcKind } from '../../core/config/index.js';
import { vouchedAddress } from './vouched-address.js';

const TENANT = '9a9a9a9a-0000-4000-8000-000000000000';
const ISSUER = `https://login.microsoftonline.com/${TENANT}/v2.0`;

function vouched(kind: OidcKind, claims: Record<string, unknown>) {
  const person = {
    issuer: 'i',
    subject: 's',
    name: '',
    email: typeof claims['email'] === 'string' ? claims['email'] : '',
    emailVerified: claims['email_verified'] === true,
    authenticatedAt: null,
    claims,
  };
  return vouchedAddress({ kind, domains: ['acme.example'] }, person);
}

describe('an address', () => {
  it('is what the standard says of it', () => {
    const email = 'ada@acme.example';
    expect(vouched('standard', { email, email_verified: true })).toEqual({ email, emailVerified: true });
    expect(vouched('standard', { email })).toEqual({ email, emailVerified: false });
    expect(vouched('standard', { preferred_username: email })).toEqual({ email: '', emailVerified: false });
  });

  it.each<[string, Record<string, unknown>, string, boolean]>([
    ['the name in the directory', { preferred_username: 'ada@acme.example' }, 'ada@acme.example', true],
    [
      'never one that anybody could have written',
      { email: 'boss@acme.example', email_verified: true, preferred_username: 'eve@acme.onmicrosoft.com' },
      'eve@acme.onmicrosoft.com',
      true,
    ],
    [
      'the one whose domain is proved',
      { email: 'ada@acme.example', xms_edov: '1', upn: 'x' },
      'ada@acme.example',
      true,
    ],
    ['not proved by nothing', { email: 'ada@acme.example', xms_edov: false }, 'ada@acme.example', false],
    [
      'none of a guest',
      { preferred_username: 'a@acme.example', idp: 'live.com', iss: ISSUER, tid: TENANT },
      'a@acme.example',
      false,
    ],
    [
      'none of a guest by account',
      { preferred_username: 'a@acme.example', acct: 1 },
      'a@acme.example',
      false,
    ],
    [
      'that of a member whose directory says so',
      {
        preferred_username: 'a@acme.example',
        idp: `https://sts.windows.net/${TENANT}/`,
        iss: ISSUER,
        tid: TENANT,
        acct: 0,
      },
      'a@acme.example',
      true,
    ],
    ['nothing', {}, '', false],
  ])('of Entra is %s', (_, claims, email, emailVerified) => {
    expect(vouched('entra', claims)).toEqual({ email, emailVerified });
  });

  it("of Google counts for the company's own accounts alone", () => {
    const claims = { email: 'ada@acme.example', email_verified: true };
    expect(vouched('google', { ...claims, hd: 'Acme.example' })).toMatchObject({ emailVerified: true });
    expect(() => vouched('google', claims)).toThrow('private Google account');
    for (const hd of ['evil.example', ['acme.example'], true]) {
      expect(() => vouched('google', { ...claims, hd })).toThrow('not in DOMAINS');
    }
  });
});
