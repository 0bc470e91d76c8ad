import { describe, expect, it } from 'vitest';

import { inlineText } from './inline-text.js';

describe('inlineText', () => {
  it('leaves ordinary names alone, zero-width characters included', () => {
    for (const name of ['Ana Ruiz', 'Zoë 李', 'a\u200bb\u200d', '👩‍👩‍👧'.repeat(30)])
      expect(inlineText(name)).toBe(name);
  });

  it('isolates what is written from right to left', () => {
    expect(inlineText('דנה כהן')).toBe('\u2068דנה כהן\u2069');
    expect(inlineText('ليلى')).toBe('\u2068ليلى\u2069');
    expect(inlineText('x\u200f')).toBe('\u2068x\u200f\u2069');
  });

  it('keeps a name within its bounds and on its line', () => {
    expect(inlineText('a\u202eb\u2069c\nd')).toBe('abc d');
  });
});
