import { describe, expect, it } from 'vitest';

import { permissionsOf } from './permissions.js';

describe('permissionsOf', () => {
  it('says that nothing is reached', () => {
    expect(permissionsOf({ hosts: [], secrets: {}, env: [] })).toEqual(['reaches no host']);
  });

  it('says which secret may go where, what else is reached, and what the code reads', () => {
    expect(
      permissionsOf({
        hosts: ['api.stripe.com', '*.example.com', 'files.stripe.com:8443'],
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
      'may send `STRIPE_KEY` to api.stripe.com and files.stripe.com:8443, in the header `authorization`',
      'may reach every host below example.com',
      'reads `DB_URL` as an environment variable',
    ]);
  });

  it('says of a version that only reads a secret that it reaches no host', () => {
    expect(permissionsOf({ hosts: [], secrets: {}, env: ['B', 'A'] })).toEqual([
      'reaches no host',
      'reads `A` as an environment variable',
      'reads `B` as an environment variable',
    ]);
  });
});
