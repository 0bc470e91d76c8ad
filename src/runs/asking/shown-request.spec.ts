import { describe, expect, it } from 'vitest';

import type { HeldRequest } from '../../../libs/egress/index.js';
import { changedLines } from './changed-lines.js';
import { prettyJson } from './pretty-json.js';
import { shownRequest } from './shown-request.js';

const REQUEST: HeldRequest = {
  number: 1,
  at: 0,
  protocol: 'https',
  host: 'api.example.com:8443',
  method: 'POST',
  target: '/v1/charges?a=1&api_key=abc&c',
  headers: [
    ['Authorization', 'Bearer abc'],
    ['Cookie', 'a=b'],
    ['X-Auth-Token', 'abc'],
    ['Idempotency-Key', 'abc'],
    ['Accept', 'text/plain'],
  ],
  body: { bytes: 13, sha256: 'b', text: '{"amount": 5}', cut: false },
  sha256: 'a',
};
const masker = { maskLine: (text: string) => text.replaceAll('hunter2', '***'), longest: 7 };
const shown = (more: Partial<HeldRequest> = {}) => shownRequest({ ...REQUEST, ...more }, masker);
const withBody = (text: string | null, cut = false) => shown({ body: { ...REQUEST.body, text, cut } });

describe('a request as people see it', () => {
  it('has what is known to be secret masked', () => {
    expect(shown()).toEqual({
      method: 'POST',
      address: 'https://api.example.com:8443/v1/charges',
      query: 'a=1&api_key=***&c',
      headers: [
        'Authorization: ***',
        'Cookie: ***',
        'X-Auth-Token: ***',
        'Idempotency-Key: abc',
        'Accept: text/plain',
      ],
      body: '{\n  "amount": 5\n}',
      bodyBytes: 13,
      bodyCut: false,
      bodySha256: 'b',
      sha256: 'a',
    });
    expect(shown({ target: '/hunter2?x=hunter2' })).toMatchObject({
      address: 'https://api.example.com:8443/***',
      query: 'x=***',
    });
    expect(shown({ headers: [['X-hunter2', 'hunter2']] }).headers).toEqual(['X-***: ***']);
    expect(withBody('pay hunter2').body).toBe('pay ***');
  });

  it('has no query and no body where there is none, or none that is text', () => {
    expect(shown({ target: '/' })).toMatchObject({ query: null });
    expect(withBody(null)).toMatchObject({ body: null });
    // A secret may lie across the cut.
    expect(withBody('{"a": 1, "b": 2', true)).toMatchObject({ body: '{"a": 1,', bodyCut: true });
    expect(withBody('a😀😀😀😀b😀c😀', true)).toMatchObject({ body: 'a😀', bodyCut: true });
  });

  it('shows what is unseen', () => {
    expect(withBody('a\u202eb\u200bc\u2028d\te\r\nf').body).toBe('a\\u{202e}b\\u{200b}c\\u{2028}d\te\r\nf');
    expect(shown({ headers: [['X', 'a\u2066b']] }).headers).toEqual(['X: a\\u{2066}b']);
  });
});

describe('JSON', () => {
  it.each([
    ['{"a": [1, 2], "b": "x y"}', '{\n  "a": [\n    1,\n    2\n  ],\n  "b": "x y"\n}'],
    ['{"to": "me", "to": "you"}', '{"to": "me", "to": "you"}'],
    ['{"amount": 10000000000000000000001}', '{"amount": 10000000000000000000001}'],
    ['{"__proto__": 1}', '{\n  "__proto__": 1\n}'],
    ['{"a": 1} x', '{"a": 1} x'],
    ['plain', 'plain'],
  ])('%s is indented only where that says the same', (text, pretty) => {
    expect(prettyJson(text)).toBe(pretty);
  });
});

describe('what has changed since the last time', () => {
  it('is nothing where all that is sent is the same', () => {
    expect(changedLines(shown(), shown())).toEqual([]);
  });

  it('is the lines that came and went', () => {
    const before = shown({ sha256: 'before', target: '/v1/charges' });
    const now = shown({ headers: [['Accept', '*/*']], body: { ...REQUEST.body, text: '{"amount": 6}' } });
    expect(changedLines(now, before)).toEqual([
      ...['Authorization: ***', 'Cookie: ***', 'X-Auth-Token: ***', 'Idempotency-Key: abc'].map(
        (line) => `- ${line}`,
      ),
      '- Accept: text/plain',
      '-   "amount": 5',
      '+ ?a=1&api_key=***&c',
      '+ Accept: */*',
      '+   "amount": 6',
    ]);
  });

  it('is said where nothing of it is shown, and counted where it is much', () => {
    expect(changedLines(shown(), shown({ sha256: 'before' }))).toEqual([
      expect.stringContaining('Only what is masked'),
    ]);
    const many = withBody(Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat(300)}`).join('\n'));
    const lines = changedLines(many, { ...withBody('x'), sha256: 'before' });
    expect(lines).toHaveLength(41);
    expect(lines.at(-1)).toBe('and 11 more lines');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(204);
  });

  it('of a long line is what stands about the difference', () => {
    const at = (word: string) => `${'a'.repeat(1000)}${word}${'b'.repeat(1000)}`;
    const [gone, come] = changedLines(withBody(at('test')), { ...withBody(at('live')), sha256: 'before' });
    expect(gone).toMatch(/^- …a{60}live/);
    expect(come).toMatch(/^\+ …a{60}test/);
    const faces = (word: string) => withBody(`${'😀'.repeat(500)}${word}${'😀'.repeat(500)}`);
    const lines = changedLines(faces('ab'), { ...faces('b'), sha256: 'before' });
    expect(lines.map((line) => line.isWellFormed())).toEqual([true, true]);
  });

  it('is the size and hash of a body that is no text', () => {
    const now = shown({ body: { ...REQUEST.body, text: null } });
    const before = shown({ sha256: 'before', body: { ...REQUEST.body, text: null, sha256: 'c' } });
    expect(changedLines(now, before)).toEqual([
      '- body of 13 bytes, SHA-256 c',
      '+ body of 13 bytes, SHA-256 b',
    ]);
  });
});
