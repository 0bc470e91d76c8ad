import { describe, expect, it } from 'vitest';
import { type HostProblem, InvalidHost, parseHost, patternsOverlap } from './host-pattern.js';

describe('parseHost', () => {
  it.each([
    ['api.stripe.com', 'api.stripe.com'],
    ['API.Stripe.COM', 'api.stripe.com'],
    ['api.stripe.com:443', 'api.stripe.com'],
    ['localhost:8443', 'localhost:8443'],
    ['*.example.com', '*.example.com'],
    ['*.Example.com:65535', '*.example.com:65535'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['BÜCHER.de', 'xn--bcher-kva.de'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['日本ab語.jp', 'xn--ab-5t7du0cm91h.jp'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['παράδειγμα.gr', 'xn--hxajbheg2az3al.gr'],
    ['한국-1.kr', 'xn---1-ro2i723k.kr'],
    ['1.example.com', '1.example.com'],
    ['a1', 'a1'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('%s is %s', (text, form) => {
    expect(parseHost(text).text).toBe(form);
    expect(parseHost(form).text).toBe(form);
  });

  it('tells the parts', () => {
    expect(parseHost('*.Example.com:8443')).toEqual({
      name: 'example.com',
      wildcard: true,
      port: 8443,
      text: '*.example.com:8443',
    });
    expect(parseHost('a.b')).toEqual({ name: 'a.b', wildcard: false, port: 443, text: 'a.b' });
  });

  it.each<[string, HostProblem]>([
    ['', 'empty'],
    ['*.', 'empty'],
    [':443', 'empty'],
    ['https://api.stripe.com', 'has_scheme_or_path'],
    ['api.stripe.com/v1', 'has_scheme_or_path'],
    ['127.0.0.1', 'address'],
    ['127.1', 'address'],
    ['2130706433', 'address'],
    ['0x7f.1', 'address'],
    ['a.0x7f', 'address'],
    ['1.2.3.4.', 'address'],
    ['１２７.0.0.1', 'address'],
    ['[::1]', 'address'],
    ['[::1]:443', 'address'],
    ['::1', 'address'],
    ['*.1.2.3.4', 'address'],
    ['example.com.', 'trailing_dot'],
    ['a..b', 'not_a_name'],
    ['.a', 'not_a_name'],
    ['-a.com', 'not_a_name'],
    ['a-.com', 'not_a_name'],
    ['a_b.com', 'not_a_name'],
    ['a b.com', 'not_a_name'],
    ['a%41.com', 'not_a_name'],
    ['user@a.com', 'not_a_name'],
    ['a.com\n', 'not_a_name'],
    ['a.com\0', 'not_a_name'],
    ['a.com\0.evil.com', 'not_a_name'],
    ['xn--a', 'not_a_name'],
    ['xn--bcher-kva.xn--a.com', 'not_a_name'],
    ['\ud800.com', 'not_a_name'],
    [`${'a'.repeat(64)}.com`, 'not_a_name'],
    [`${'a.'.repeat(127)}com`, 'not_a_name'],
    ['pаypal.com', 'mixed_scripts'],
    ['xn--pypal-4ve.com', 'mixed_scripts'],
    ['αpi.com', 'mixed_scripts'],
    ['aあя.com', 'mixed_scripts'],
    ['*', 'misplaced_wildcard'],
    ['**.a.com', 'misplaced_wildcard'],
    ['*.*.com', 'misplaced_wildcard'],
    ['a.*.com', 'misplaced_wildcard'],
    ['*a.com', 'misplaced_wildcard'],
    ['a.com:0', 'port'],
    ['a.com:', 'port'],
    ['a.com:65536', 'port'],
    ['a.com:0443', 'port'],
    ['a.com:+443', 'port'],
    ['a.com:443 ', 'port'],
    ['a.com:x', 'port'],
  ])('%j is refused: %s', (text, problem) => {
    let thrown: unknown;
    try {
      parseHost(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidHost);
    expect(thrown).toMatchObject({ text, problem, message: expect.stringMatching(/^(must|may) /) as string });
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
    expect(patternsOverlap(parseHost(one), parseHost(other))).toBe(overlap);
    expect(patternsOverlap(parseHost(other), parseHost(one))).toBe(overlap);
  });
});
