import { describe, expect, it } from 'vitest';

import { processorTime } from '../fuzz/index.js';
import { hasManyMarks, normalText } from './normal-text.js';

describe('a normal form', () => {
  it('is that of Unicode', () => {
    expect(normalText('e\u0301', 'NFC')).toBe('\u00e9');
    expect(normalText('\ufb01 \uff76\uff9e', 'NFKC')).toBe('fi \u30ac');
  });

  it('leaves out what is beyond 30 marks in a row', () => {
    const zalgo = `a${'\u0316'.repeat(31)}b`;
    expect(normalText(zalgo, 'NFC')).toBe(`a${'\u0316'.repeat(30)}b`);
    expect([hasManyMarks(zalgo), hasManyMarks(zalgo.slice(2))]).toEqual([true, false]);
  });

  it.each([
    ['marks', '\u0301'.repeat(200_000) + '\u0316'.repeat(200_000)],
    ['marks in turn', '\u0301\u0316'.repeat(200_000)],
    ['30 marks at a time', `a${'\u0301\u0316'.repeat(15)}`.repeat(10_000)],
    ['halfwidth marks', '\uff9e\u0334'.repeat(200_000)],
  ])('of %s takes no long time', async (_, text) => {
    const time = await processorTime(() => [normalText(text, 'NFKC'), hasManyMarks(text)]);
    expect(time).toBeLessThan(5_000);
  });
});
