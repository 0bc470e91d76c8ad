import { describe, expect, it } from 'vitest';
import { isMaskable, secretForms } from './secret-forms.js';
import { SecretPatterns, TooManyPatterns } from './secret-patterns.js';

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

  it.each<[string, string]>([
    ['in hexadecimal', Buffer.from(VALUE).toString('hex')],
    ['in hexadecimal, upper case', Buffer.from(VALUE).toString('hex').toUpperCase()],
    ['in HTML of Python', `p@ss &quot;w/ö~rd&quot;\\ +x`],
    ['in HTML of Go', `p@ss &#34;w/ö~rd&#34;\\ &#43;x`],
    ['in HTML of Mustache', `p@ss &quot;w&#x2F;ö~rd&quot;\\ +x`],
    ['in HTML with references', `p@ss &quot;w/&#246;~rd&quot;\\ +x`],
  ])('masks a value %s', (_where, text) => {
    expect(patterns.mask(`before ${text} after`)).toBe('before *** after');
  });

  it('masks what HTML escapes, in the ways of its libraries', () => {
    const markup = new SecretPatterns([`<a href='x'>&"`]);
    for (const text of [
      '&lt;a href=&#x27;x&#x27;&gt;&amp;&quot;',
      '&lt;a href=&#39;x&#39;&gt;&amp;&quot;',
      '&lt;a href=&#039;x&#039;&gt;&amp;&quot;',
      '&lt;a href=&apos;x&apos;&gt;&amp;&quot;',
      '&lt;a href=&#39;x&#39;&gt;&amp;&#34;',
      '&lt;a href&#x3D;&#x27;x&#x27;&gt;&amp;&quot;',
      `&lt;a href='x'&gt;&amp;"`,
    ]) {
      expect(markup.mask(`(${text})`)).toBe('(***)');
    }
  });

  it.each<[string, string[]]>([
    ['letters', ['x'.repeat(65_536)]],
    ['other letters', ['é'.repeat(32_768)]],
    ['quotes', ['"'.repeat(65_536)]],
    ['control characters', ['\u0001'.repeat(65_536)]],
    ['ampersands', ['&'.repeat(65_536)]],
    ['characters of four bytes', ['😀'.repeat(16_384)]],
    ['a mixture', [`/"<&'+~!é `.repeat(5_957)]],
    ['short lines', ['abc/+"\n'.repeat(9_362)]],
    ['bytes that base64 writes with + and /', ['>>>???'.repeat(10_922)]],
  ])('takes a value of the largest size: %s', (_what, values) => {
    const largest = new SecretPatterns(values);
    expect(largest.mask(`(${values[0]})`)).toBe('(***)');
    expect(largest.mask(Buffer.from(values[0]!).toString('hex'))).toBe('***');
  });

  it('refuses values that are too much together, and says how much is', () => {
    const values = Array.from({ length: 25 }, (_, index) => 'a'.repeat(65_530) + index);
    expect(() => new SecretPatterns(values)).toThrow(TooManyPatterns);
    expect(() => new SecretPatterns(values)).toThrow(/more than 2 MiB/);
    expect(
      () => new SecretPatterns(Array.from({ length: 50 }, (_, index) => `key-${index}-of-many`)),
    ).not.toThrow();
  });

  it('takes time that is linear in the text, whatever it is searched for', () => {
    // What made it slow: long values that begin alike, and a text of beginnings of them.
    const alike = Array.from({ length: 3 }, (_, index) => `${'a'.repeat(60_000)}${index}`);
    const short = Array.from({ length: 25 }, (_, index) => `${'a'.repeat(3_000)}${index}`);
    const lines = [
      Array.from({ length: 9_000 }, (_, index) => (index * 7_919 + 1_000_000).toString(36)).join('\n'),
    ];
    for (const values of [alike, short, lines]) {
      const slow = new SecretPatterns(values);
      for (const text of [
        'a'.repeat(2_000_000),
        `${'a'.repeat(999)}b`.repeat(2_000),
        'abcdefgh'.repeat(250_000),
      ]) {
        const before = process.cpuUsage();
        slow.mask(text);
        const { user, system } = process.cpuUsage(before);
        // 2 MB take some ten milliseconds; it was minutes.
        expect((user + system) / 1_000_000).toBeLessThan(2);
      }
    }
  });
});
