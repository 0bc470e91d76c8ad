import { describe, expect, it } from 'vitest';

import { type StoredSecret, versionSecretProblems } from './version-secrets.rules.js';

const KEY = { header: 'Authorization', hosts: ['api.stripe.com', '*.example.com'], value: '{secret}' };
const stored = (values: StoredSecret['values'], allowEnv = false): StoredSecret[] => [
  { name: 'KEY', kind: 'text', allowEnv, values },
];

describe('versionSecretProblems', () => {
  it('finds nothing where a value allows one of the hosts, or where there is no value', () => {
    const uses = { secrets: { KEY }, env: [] };
    expect(versionSecretProblems(uses, [], null)).toEqual([]);
    const values = [
      { environment: 'production', hosts: ['api.stripe.com', 'else.com'] },
      { environment: 'staging', hosts: ['a.b.example.com'] },
    ];
    expect(versionSecretProblems(uses, stored(values), null)).toEqual([]);
    expect(versionSecretProblems({ secrets: {}, env: ['KEY'] }, stored(values, true), null)).toEqual([]);
    expect(versionSecretProblems({ secrets: {}, env: ['KEY'] }, [], null)).toEqual([]);
  });

  it('refuses what does not go with the kind of the secret, before hosts are compared', () => {
    const [secret] = stored([{ environment: 'production', hosts: ['else.com'] }]);
    const find = (kind: StoredSecret['kind'], value: string) =>
      versionSecretProblems({ secrets: { KEY: { ...KEY, value } }, env: [] }, [{ ...secret!, kind }], null);
    expect(find('aws', '{secret}')).toEqual([
      { path: 'secrets.KEY.value', message: expect.stringContaining('never sent') },
    ]);
    expect(find('text', 'AWS4-HMAC-SHA256 {secret}')).toEqual([
      { path: 'secrets.KEY.value', message: expect.stringContaining('only one of the kind aws') },
    ]);
    expect(find('aws', 'AWS4-HMAC-SHA256 {secret}')).toMatchObject([{ path: 'secrets.KEY' }]);
  });

  it('names each environment whose value allows none', () => {
    const values = [
      { environment: 'production', hosts: ['api.stripe.com'] },
      { environment: 'staging', hosts: ['api.stripe.com:8443', 'example.com'] },
      { environment: 'test', hosts: [] },
    ];
    expect(versionSecretProblems({ secrets: { KEY }, env: [] }, stored(values), null)).toEqual([
      {
        path: 'secrets.KEY',
        message:
          'the secret KEY may go to none of these hosts in staging: its value there is for api.stripe.com:8443, example.com',
      },
      {
        path: 'secrets.KEY',
        message: 'the secret KEY may go to none of these hosts in test: its value there is for no host',
      },
    ]);
  });

  it('does not name what the caller may not see', () => {
    const values = [{ environment: 'production', hosts: ['hidden.com'] }];
    const [problem] = versionSecretProblems({ secrets: { KEY }, env: [] }, stored(values), 'staging');
    expect(problem!.message).not.toMatch(/production|hidden/);
  });

  it('refuses to read what is only to be attached, at its place', () => {
    const values = [{ environment: 'production', hosts: ['api.stripe.com'] }];
    expect(versionSecretProblems({ secrets: {}, env: ['OTHER', 'KEY'] }, stored(values), null)).toEqual([
      {
        path: 'env.1',
        message: 'the secret KEY may not be read as an environment variable: its allowEnv is false',
      },
    ]);
  });
});
