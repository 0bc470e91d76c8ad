import { describe, expect, it } from 'vitest';

import { cutText } from './cut-text.js';

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
});
