import { describe, expect, it } from 'vitest';

import { parseHostPattern, patternsOverlap } from './host-pattern.js';

describe('parseHostPattern', () => {
  it.each([
    ['api.stripe.com', 'api.stripe.com'],
    ['API.Stripe.COM', 'api.stripe.com'],
    ['api.stripe.com:443', 'api.stripe.com'],
    ['localhost:8443', 'localhost:8443'],
    ['*.example.com', '*.example.com'],
    ['*.Example.com:8443', '*.example.com:8443'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['BÜCHER.de', 'xn--bcher-kva.de'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['1.example.com', '1.example.com'],
    ['a1', 'a1'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('%s is %s', (text, host) => {
    expect(parseHostPattern(text)).toEqual({ host });
  });

  it.each([
    ['', /such as api/],
    ['https://api.stripe.com', /without scheme/],
    ['api.stripe.com/v1', /without scheme/],
    ['127.0.0.1', /not an IP/],
    ['127.1', /not an IP/],
    ['2130706433', /not an IP/],
    ['0x7f.1', /not an IP/],
    ['a.0x7f', /not an IP/],
    ['1.2.3.4.', /not an IP/],
    ['１２７.0.0.1', /not an IP/],
    ['[::1]', /not an IP/],
    ['::1', /not an IP/],
    ['*.1.2.3.4', /not an IP/],
    ['example.com.', /end in a dot/],
    ['a..b', /host name/],
    ['.a', /host name/],
    ['-a.com', /host name/],
    ['a-.com', /host name/],
    ['a_b.com', /host name/],
    ['a b.com', /host name/],
    ['a%41.com', /host name/],
    ['user@a.com', /host name/],
    ['a.com\n', /host name/],
    ['a.com\0', /host name/],
    ['xn--a', /host name/],
    [`${'a'.repeat(64)}.com`, /host name/],
    [`${'a.'.repeat(127)}com`, /host name/],
    ['*', /beginning/],
    ['*.', /such as api/],
    ['**.a.com', /beginning/],
    ['a.*.com', /beginning/],
    ['*a.com', /beginning/],
    ['a.com:0', /port/],
    ['a.com:', /port/],
    ['a.com:65536', /port/],
    ['a.com:0443', /port/],
    ['a.com:x', /port/],
  ])('%j is refused', (text, problem) => {
    expect(parseHostPattern(text)).toEqual({ problem: expect.stringMatching(problem) as string });
  });
});

describe('patternsOverlap', () => {
  it.each([
    ['a.com', 'a.com', true],
    ['a.com', 'b.com', false],
    ['a.com:8443', 'a.com:9443', false],
    ['a.com', 'a.com:8443', false],
    ['*.a.com', 'x.a.com', true],
    ['*.a.com', 'x.y.a.com', true],
    ['*.a.com', 'a.com', false],
    ['*.a.com', 'xa.com', false],
    ['*.a.com', '*.b.a.com', true],
    ['*.a.com', '*.a.com', true],
    ['*.a.com:1', 'x.a.com', false],
  ])('%s and %s: %s', (one, other, overlap) => {
    expect(patternsOverlap(one, other)).toBe(overlap);
    expect(patternsOverlap(other, one)).toBe(overlap);
  });
});
