import { describe, expect, it } from 'vitest';

import { inlineText, nameText } from './inline-text.js';

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

describe('nameText', () => {
  it('puts in quotes what could be read as the rest of the sentence', () => {
    for (const name of ["Ana's R&D-keys", 'Zoë 李']) expect(nameText(name)).toBe(name);
    expect(nameText('CI, which may only read. Not:')).toBe('“CI, which may only read. Not:”');
    expect(nameText('a” (ok)')).toBe('“a" (ok)”');
    expect(nameText('דנה, כהן')).toBe('“\u2068דנה, כהן\u2069”');
  });
});
