import { describe, expect, it } from 'vitest';

import { InvalidRequest } from '../../core/errors/index.js';
import { parseSecretUses } from './secret-uses.js';

const HOSTS = ['api.stripe.com', '*.example.com', 'localhost:8443'];
const DECLARED = { hosts: HOSTS, rules: [] };
const use = { header: 'Authorization', hosts: ['api.stripe.com'] };

function problems(input: unknown): unknown {
  try {
    parseSecretUses(input, DECLARED);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.details;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseSecretUses', () => {
  it('fills in the value and keeps hosts in their one form', () => {
    expect(
      parseSecretUses(
        {
          STRIPE_KEY: {
            header: 'Authorization',
            hosts: ['API.stripe.com:443', 'api.stripe.com'],
            value: 'Bearer {secret}',
          },
          OTHER: { header: 'x-api-key', host: '*.Example.com' },
        },
        DECLARED,
      ),
    ).toEqual({
      STRIPE_KEY: { header: 'Authorization', hosts: ['api.stripe.com'], value: 'Bearer {secret}' },
      OTHER: { header: 'x-api-key', hosts: ['*.example.com'], value: '{secret}' },
    });
  });

  it('takes a secret without hosts for all hosts of the version', () => {
    const uses = parseSecretUses({ A: { header: 'x-key' } }, DECLARED);
    expect(uses).toEqual({ A: { header: 'x-key', hosts: HOSTS, value: '{secret}' } });
    expect(() => parseSecretUses({ A: { header: 'x-key' } }, { hosts: [], rules: [] })).toThrow(
      /secrets\.A\.hosts: .*no host/,
    );
  });

  it.each([
    [[], 'secrets', /object/],
    [null, 'secrets', /object/],
    [{ PATH: use }, 'secrets.PATH', /run itself needs/],
    [{ '1a': use }, 'secrets.1a', /letters/],
    [{ A: 'x' }, 'secrets.A', /object/],
    [{ A: { ...use, other: 1 } }, 'secrets.A.other', /not a field/],
    [{ A: { hosts: ['api.stripe.com'] } }, 'secrets.A.header', /string/],
    [{ A: { ...use, header: 'a b' } }, 'secrets.A.header', /HTTP header/],
    [{ A: { ...use, header: 'a:b' } }, 'secrets.A.header', /HTTP header/],
    [{ A: { ...use, header: '' } }, 'secrets.A.header', /HTTP header/],
    [{ A: { ...use, header: 'x'.repeat(101) } }, 'secrets.A.header', /HTTP header/],
    [{ A: { ...use, header: 'HOST' } }, 'secrets.A.header', /connection/],
    [{ A: { ...use, header: 'Content-Length' } }, 'secrets.A.header', /connection/],
    [{ A: { ...use, header: 'Transfer-Encoding' } }, 'secrets.A.header', /connection/],
    [{ A: { ...use, value: 'Bearer' } }, 'secrets.A.value', /\{secret\}/],
    [{ A: { ...use, value: null } }, 'secrets.A.value', /string/],
    [{ A: { ...use, value: '{secret}\r\nx: y' } }, 'secrets.A.value', /printable/],
    [{ A: { ...use, value: '{secret}'.padEnd(1001) } }, 'secrets.A.value', /1000/],
    [{ A: { header: 'x', hosts: [] } }, 'secrets.A.hosts', /at least one/],
    [{ A: { header: 'x', hosts: 'api.stripe.com' } }, 'secrets.A.hosts', /at least one/],
    [{ A: { ...use, host: 'api.stripe.com' } }, 'secrets.A.host', /left out/],
    [{ A: { header: 'x', hosts: ['api.stripe.com', 1] } }, 'secrets.A.hosts.1', /string/],
    [{ A: { header: 'x', hosts: ['10.0.0.1'] } }, 'secrets.A.hosts.0', /IP/],
    [{ A: { header: 'x', hosts: ['x.example.com'] } }, 'secrets.A.hosts.0', /version's hosts/],
    [{ A: { header: 'x', host: 'localhost' } }, 'secrets.A.host', /version's hosts/],
  ])('%j is refused', (input, path, message) => {
    expect(problems(input)).toEqual([{ path, message: expect.stringMatching(message) as string }]);
  });

  it('signs in to PostgreSQL with one that has no header', () => {
    const postgres = {
      database: null,
      role: null,
      readOnly: false,
      statementTimeout: null,
      maxConnections: 10,
    };
    const rule = {
      host: 'db.example.com:5432',
      methods: null,
      paths: null,
      protocol: 'postgres' as const,
      postgres,
    };
    const declared = { hosts: [...HOSTS, rule.host], rules: [rule] };
    const signsIn = { header: '', hosts: [rule.host], value: '{secret}' };
    expect(parseSecretUses({ A: {} }, declared)).toEqual({ A: signsIn });
    expect(parseSecretUses({ A: { host: rule.host } }, declared)).toEqual({ A: signsIn });
    expect(parseSecretUses({ A: { header: 'x-key' } }, declared).A!.hosts).toEqual(HOSTS);
    expect(() => parseSecretUses({ A: { ...use, hosts: [rule.host] } }, declared)).toThrow(
      /A\.header: .*left out/,
    );
    expect(() => parseSecretUses({ A: { hosts: [rule.host, HOSTS[0]] } }, declared)).toThrow(
      /A\.hosts: .*own/,
    );
    expect(() => parseSecretUses({ A: {}, B: {} }, declared)).toThrow(/B: signs in to .*as A does/);
  });

  it('goes to a host by plain HTTP where that is named, and the operator has addresses for it', () => {
    const rule = { host: 'inner.example.com:80', methods: null, paths: null, protocol: 'http' as const };
    const declared = { hosts: [...HOSTS, rule.host], rules: [rule] };
    const plain = { A: { header: 'x-key', host: rule.host } };
    expect(parseSecretUses(plain, declared, true).A!.hosts).toEqual([rule.host]);
    expect(() => parseSecretUses(plain, declared)).toThrow(/A\.hosts: .*GATEHOUSE_PLAIN_SECRETS/);
    expect(parseSecretUses({ A: { header: 'x-key' } }, declared, true).A!.hosts).toEqual(HOSTS);
  });

  it('lets only one secret set a header on a host', () => {
    expect(problems({ A: use, B: { ...use, header: 'authorization' } })).toEqual([
      { path: 'secrets.B', message: expect.stringMatching(/as A does/) as string },
    ]);
    expect(
      parseSecretUses(
        { A: use, B: { ...use, header: 'x-b' }, C: { ...use, hosts: ['localhost:8443'] } },
        DECLARED,
      ),
    ).toHaveProperty('C');
  });

  it('takes at most 50', () => {
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, index) => [`S${index}`, { ...use, header: `x-${index}` }]),
    );
    expect(problems(many)).toEqual([{ path: 'secrets', message: expect.stringMatching(/50/) as string }]);
  });
});
