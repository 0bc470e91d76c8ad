import { describe, expect, it } from 'vitest';

import { permissionsOf } from './permissions.js';

describe('permissionsOf', () => {
  it('says that nothing is reached', () => {
    expect(permissionsOf({ hosts: [], hostRules: [], secrets: {}, env: [] })).toEqual(['reaches no host']);
  });

  it('says which secret may go where, what else is reached, and what the code reads', () => {
    expect(
      permissionsOf({
        hosts: ['api.stripe.com', '*.example.com', 'files.stripe.com:8443'],
        hostRules: [],
        secrets: {
          STRIPE_KEY: {
            hosts: ['api.stripe.com', 'files.stripe.com:8443'],
            header: 'authorization',
            value: 'Bearer {secret}',
          },
        },
        env: ['DB_URL'],
      }),
    ).toEqual([
      'may send `STRIPE_KEY` to api.stripe.com and files.stripe.com:8443, as a Bearer token',
      'may reach every host below example.com',
      'reads `DB_URL` as an environment variable',
    ]);
  });

  it('says which requests a host gets, with a secret or without', () => {
    expect(
      permissionsOf({
        hosts: ['api.example.com', '*.example.org', 'plain.example.com'],
        hostRules: [
          { host: 'api.example.com', methods: ['GET', 'HEAD'], paths: ['/v1/charges', '/v1/files/*'] },
          { host: 'api.example.com', methods: ['POST'], paths: null },
          { host: '*.example.org', methods: null, paths: ['/'] },
        ],
        secrets: { KEY: { hosts: ['api.example.com'], header: 'x-key', value: '{secret}' } },
        env: [],
      }),
    ).toEqual([
      'may send `KEY` to api.example.com, in the header `x-key`',
      'may send api.example.com only GET or HEAD to /v1/charges or /v1/files/*, or POST',
      'may send every host below example.org only requests to /',
      'may reach plain.example.com',
    ]);
  });

  it.each([
    ['authorization', 'Basic {base64:git:{secret}}', 'may send `KEY` to a.com, as the password of `git`'],
    ['x-key', 'Key {secret}', 'may send `KEY` to a.com, in the header `x-key`, as `Key {secret}`'],
    ['authorization', 'AWS4-HMAC-SHA256 {secret}', 'may sign requests to a.com with `KEY`, for AWS'],
  ])('says how a secret goes along: %s: %s', (header, value, sentence) => {
    const secrets = { KEY: { hosts: ['a.com'], header, value } };
    expect(permissionsOf({ hosts: ['a.com'], hostRules: [], secrets, env: [] })).toEqual([sentence]);
  });

  it('says which secrets go unencrypted', () => {
    const hosts = ['a.com', 'inner.example.com:80'];
    const hostRules = [{ host: hosts[1]!, methods: null, paths: null, protocol: 'http' as const }];
    const secrets = { KEY: { hosts, header: 'x-key', value: '{secret}' } };
    expect(permissionsOf({ hosts, hostRules, secrets, env: [] })).toEqual([
      'may send `KEY` to a.com and inner.example.com:80, in the header `x-key` — to inner.example.com:80 unencrypted, where the operator lets that happen',
      'may reach inner.example.com:80: in the clear, by HTTP',
    ]);
  });

  it('says of a version that only reads a secret that it reaches no host', () => {
    expect(permissionsOf({ hosts: [], hostRules: [], secrets: {}, env: ['B', 'A'] })).toEqual([
      'reaches no host',
      'reads `A` as an environment variable',
      'reads `B` as an environment variable',
    ]);
  });
});
