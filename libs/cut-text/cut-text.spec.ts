import { describe, expect, it } from 'vitest';

import { BYTES, cutText, endOfText, UTF16_UNITS } from './cut-text.js';

describe('cutText', () => {
  it.each([
    ['abcd', 4, '…', 'abcd'],
    ['abcde', 4, '…', 'abc…'],
    ['abcde', 4, '', 'abcd'],
    ['😀😀😀😀', 4, '…', '😀😀😀😀'],
    ['😀😀😀😀😀', 4, '…', '😀😀😀…'],
    ['a😀b😀c', 4, '', 'a😀b😀'],
  ])('of %j keeps %i characters with %j', (text, most, end, cut) =>
    expect(cutText(text, most, end)).toBe(cut),
  );

  it('cuts no character in two, wherever the cut is', () => {
    const text = `a${'😀'.repeat(9)}`;
    for (let most = 0; most < 12; most++) expect(cutText(text, most).isWellFormed()).toBe(true);
  });

  it('counts another unit, which the other side has', () => {
    expect(cutText('aé😀b', 7, '…', BYTES)).toBe('aé…');
    expect(cutText('aé😀b', 8, '…', BYTES)).toBe('aé😀b');
    expect(cutText('a😀bc', 4, '…', UTF16_UNITS)).toBe('a😀…');
    expect(cutText('', 0)).toBe('');
  });
});

describe('endOfText', () => {
  it('is the end, without a part of a character', () => {
    for (let most = 0; most < 9; most++) {
      const end = endOfText('b😀é😀a', most, BYTES);
      expect(Buffer.byteLength(end)).toBeLessThanOrEqual(most);
      expect('b😀é😀a'.endsWith(end) && end.isWellFormed()).toBe(true);
    }
    expect(endOfText('b😀é😀a', 7, BYTES)).toBe('é😀a');
    expect(endOfText('ab😀', 2)).toBe('b😀');
    expect(endOfText('ab', -1)).toBe('');
  });
});
