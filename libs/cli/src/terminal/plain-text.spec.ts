import { expect, it } from 'vitest';

import { escapedJson, plainText } from './plain-text.js';

const UNSAFE = ['\x1b', '\x07', '\r', '\b', '\x7f', '\x9b', '\u202e', '\u2066', '\u200b', '\u{e0041}'];

it.each(UNSAFE)('is without what moves, hides or reorders: %j', (unsafe) => {
  expect(plainText(`a${unsafe}b`)).toBe('a\ufffdb');
  const json = JSON.stringify({ text: `a${unsafe}b` });
  const escaped = escapedJson(json);
  expect(JSON.parse(escaped)).toEqual({ text: `a${unsafe}b` });
  expect(plainText(escaped)).toBe(escaped);
});

it('keeps all other text', () => {
  const text = 'Grüße\t🌍 👩‍🚀\n日本語 עברית';
  expect(plainText(text)).toBe(text);
});
