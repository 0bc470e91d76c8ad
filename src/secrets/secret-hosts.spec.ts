import { describe, expect, it } from 'vitest';

import { InvalidRequest } from '../core/errors/index.js';
import { areAmong, parseSecretHosts, sharedHosts } from './secret-hosts.js';

describe('parseSecretHosts', () => {
  it('brings hosts into their one form, each once', () => {
    expect(
      parseSecretHosts(['API.Stripe.com', 'api.stripe.com:443', '*.example.com', 'localhost:8443']),
    ).toEqual(['api.stripe.com', '*.example.com', 'localhost:8443']);
    expect(parseSecretHosts([])).toEqual([]);
  });

  it('names every wrong one', () => {
    const wrong = [1, 'https://a.com', '127.0.0.1', 'a.com.', 'a.com:0', '*', 'a.com\0', 'pаypal.com'];
    try {
      parseSecretHosts(['a.com', ...wrong]);
      expect.unreachable();
    } catch (error) {
      expect((error as InvalidRequest).details?.map(({ path }) => path)).toEqual(
        wrong.map((_, index) => `hosts.${index + 1}`),
      );
    }
  });
});

describe('sharedHosts', () => {
  it.each([
    [['a.com'], ['a.com'], ['a.com']],
    [['a.com'], ['b.com'], []],
    [['a.com'], [], []],
    [['a.com', 'b.com'], ['b.com', 'c.com'], ['b.com']],
    [['*.a.com'], ['x.a.com'], ['x.a.com']],
    [['x.a.com'], ['*.a.com'], ['x.a.com']],
    [['*.a.com'], ['*.b.a.com'], ['*.b.a.com']],
    [['*.a.com'], ['a.com'], []],
    [
      ['*.a.com', 'x.a.com'],
      ['x.a.com', '*.a.com'],
      ['x.a.com', '*.a.com'],
    ],
    [['a.com:8443'], ['a.com'], []],
    [['a.com:8443'], ['a.com:8443'], ['a.com:8443']],
    [['xa.com'], ['*.a.com'], []],
  ])('of %j and %j: %j', (some, others, shared) => {
    expect(new Set(sharedHosts(some, others).map(({ text }) => text))).toEqual(new Set(shared));
  });
});

describe('areAmong', () => {
  it.each<[string[], string[], boolean]>([
    [[], ['a.com'], true],
    [['a.com'], [], false],
    [['a.com'], ['b.com', 'a.com'], true],
    [['a.com', 'b.com'], ['a.com'], false],
    [['x.a.com', '*.y.a.com'], ['*.a.com'], true],
    [['*.a.com'], ['x.a.com'], false],
    [['a.com'], ['*.a.com'], false],
    [['a.com:8443'], ['a.com'], false],
  ])('%j in %j: %s', (hosts, others, are) => expect(areAmong(hosts, others)).toBe(are));
});
