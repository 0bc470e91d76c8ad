import { describe, expect, it } from 'vitest';

import { looksSecret, withoutFiles, withoutSecrets } from './sensitive-inputs.js';

describe('looksSecret', () => {
  it.each(['password', 'apiToken', 'api_key', 'clientSecret', 'DB_PASSWORD', 'privateKey', 'otp'])(
    'takes %s for one',
    (name) => {
      expect(looksSecret(name, undefined)).toBe(true);
    },
  );

  it.each(['city', 'keyword', 'passenger', 'monkey', 'spin'])('does not take %s for one', (name) => {
    expect(looksSecret(name, undefined)).toBe(false);
  });

  it('goes by the schema as well', () => {
    expect(looksSecret('city', { format: 'password' })).toBe(true);
    expect(looksSecret('city', { writeOnly: true })).toBe(true);
  });
});

describe('withoutSecrets', () => {
  it('leaves them out at every depth', () => {
    const schema = { properties: { hosts: { items: { properties: { pin: { writeOnly: true } } } } } };
    const inputs = {
      city: 'Berlin',
      token: 'x',
      login: { password: 'x', user: 'ada' },
      hosts: [{ pin: 1, port: 2 }],
    };
    expect(withoutSecrets(inputs, schema)).toEqual({
      city: 'Berlin',
      login: { user: 'ada' },
      hosts: [{ port: 2 }],
    });
  });
});

describe('withoutFiles', () => {
  it('leaves the named inputs out', () => {
    expect(withoutFiles({ table: 'file_1', city: 'Berlin' }, ['table'])).toEqual({ city: 'Berlin' });
  });
});
