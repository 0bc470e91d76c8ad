import { describe, expect, it } from 'vitest';

import { storableJson, storableValues } from './storable-json.js';

describe('storableJson', () => {
  it.each([
    ['half of a pair', '\ud83d', '\ufffd'],
    ['the other half', 'a\ude00b', 'a\ufffdb'],
    ['halves in the wrong order', '\ude00\ud83d', '\ufffd\ufffd'],
    ['a NUL', 'a\u0000', 'a\ufffd'],
    ['a whole character', '😀', '😀'],
    ['what only looks like an escape', '\\ud83d \\\\u0000', '\\ud83d \\\\u0000'],
    ['an escape after a backslash', '\\\ud83d', '\\\ufffd'],
    ['another control character', '\u0001', '\u0001'],
  ])('has U+FFFD for what cannot be stored: %s', (_, text, stored) =>
    expect(JSON.parse(storableJson(JSON.stringify({ [text]: [text] })))).toEqual({ [stored]: [stored] }),
  );

  it('leaves a character that is written as two escapes', () =>
    expect(storableJson('"\\uD83D\\uDE00 \\ud83d"')).toBe('"\\uD83D\\uDE00 \ufffd"'));
});

describe('storableValues', () => {
  it('changes those that are cast to JSON, and no other text', () => {
    const text = 'UPDATE t SET a = $1, b = $2::jsonb, c = COALESCE($10::json, c)';
    const values = ['"\\ud83d"', '"\\ud83d"', 1, null, ...Array<null>(5).fill(null), '"\\u0000"'];
    expect(storableValues(text, values)).toEqual([
      '"\\ud83d"',
      '"\ufffd"',
      ...values.slice(2, 9),
      '"\ufffd"',
    ]);
  });
});
