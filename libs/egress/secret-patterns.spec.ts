import { describe, expect, it } from 'vitest';
import { isMaskable, secretForms } from './secret-forms.js';
import { SecretPatterns } from './secret-patterns.js';

const VALUE = 'p@ss "w/ö~rd"\\ +x';
const patterns = new SecretPatterns([VALUE]);

/** Python's `json.dumps`. */
function pythonJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

describe('SecretPatterns', () => {
  it.each<[string, string]>([
    ['as it is', VALUE],
    ['within JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['within JSON of Python', pythonJson(VALUE).slice(1, -1)],
    ['within JSON within JSON', JSON.stringify(JSON.stringify(VALUE)).slice(3, -3)],
    ['within JSON with escaped slashes', JSON.stringify(VALUE).slice(1, -1).replace('/', '\\/')],
    ['in a URL', encodeURIComponent(VALUE)],
    ['in a URL, lower-case escapes', encodeURIComponent(VALUE).replace(/%../g, (code) => code.toLowerCase())],
    ['in a form', new URLSearchParams({ a: VALUE }).toString().slice(2)],
    ['in a path of Python', encodeURIComponent(VALUE).replace('%2F', '/')],
  ])('masks a value %s', (_where, text) => {
    expect(patterns.mask(`before ${text} after`)).toBe('before *** after');
  });

  it.each(['', 'a', 'ab', 'abc', 'user:'])('masks base64 of text that begins with %j', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const masked = patterns.mask(Buffer.from(`${before}${VALUE}|and more`).toString(encoding));
      expect(masked).toContain('***');
      const rest = masked.split('***').map((part) => Buffer.from(part, 'base64').toString('latin1'));
      expect(rest.join('')).not.toContain('p@s');
      expect(masked.length).toBeLessThan(30);
    }
  });

  it('masks what a header carries as Latin-1', () => {
    expect(patterns.maskHeader(Buffer.from(VALUE, 'latin1').toString('latin1'))).toBe('***');
    expect(patterns.maskHeader(Buffer.from(VALUE).toString('latin1'))).toBe('***');
  });

  it('masks each line of a value of several lines', () => {
    const pem = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\r\nabc\nhkiG9w0BAQEFAASC\n-----END KEY-----';
    const several = new SecretPatterns([pem]);
    expect(several.mask(pem)).toBe('***');
    expect(several.mask('x MIIEvQIBADANBgkq y')).toBe('x *** y');
    expect(several.mask(JSON.stringify({ pem }))).toBe('{"pem":"***"}');
    expect(several.mask('abc')).toBe('abc');
  });

  it('leaves values under six characters alone, counted as people do', () => {
    expect(isMaskable('12345')).toBe(false);
    expect(isMaskable('😀😀😀')).toBe(false);
    expect(isMaskable('123456')).toBe(true);
    expect(secretForms('12345')).toEqual([]);
    const short = new SecretPatterns(['12345']);
    expect(short.isEmpty).toBe(true);
    expect(short.mask('12345')).toBe('12345');
    expect(new SecretPatterns([]).mask('x')).toBe('x');
  });

  it('takes the longest of several, and leaves no rest of overlapping ones', () => {
    const several = new SecretPatterns(['secret', 'secret-and-more', 'more-of-it']);
    expect(several.mask('a secret-and-more b')).toBe('a *** b');
    expect(several.mask('a secret-and-more-of-it b')).toBe('a *** b');
    expect(several.mask('secretsecret')).toBe('******');
  });

  it('keeps text around it, whatever its characters', () => {
    expect(patterns.mask(`ünï😀${VALUE}😀`)).toBe('ünï😀***😀');
    expect(patterns.mask('nothing here: p@ss')).toBe('nothing here: p@ss');
  });

  it('takes values with characters that mean something in patterns', () => {
    const odd = new SecretPatterns(['.*+?^${}()|[]\\/', '\0\0\0\0\0\0', '\ud800-lone-surrogate']);
    expect(odd.mask('a .*+?^${}()|[]\\/ b')).toBe('a *** b');
    expect(odd.mask('xxxxxxxxxxxxxxxxxxxx')).toBe('xxxxxxxxxxxxxxxxxxxx');
    expect(odd.mask('a\0\0\0\0\0\0b')).toBe('a***b');
  });

  it('knows where a pattern may begin at the end', () => {
    const one = new SecretPatterns(['abcabd']);
    const held = (text: string): string => text.slice(one.heldFrom(Buffer.from(text)));
    expect(held('xxabc')).toBe('abc');
    expect(held('xxabcab')).toBe('abcab');
    expect(held('xxabcabc')).toBe('abc');
    expect(held('xxabcabd')).toBe('');
    expect(held('')).toBe('');
  });
});
