import { describe, expect, it } from 'vitest';

import { cutParts, textRanges } from './line-ranges.js';

describe('textRanges', () => {
  it('finds each place, whatever its case', () => {
    expect(textRanges('aXbxc', 'x')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(textRanges('abc', '')).toEqual([]);
  });

  it('leaves a text alone whose length changes with its case', () => {
    expect(textRanges('İx', 'x')).toEqual([]);
  });
});

describe('cutParts', () => {
  it('marks each place', () => {
    expect(cutParts([{ text: 'aXbxc' }], textRanges('aXbxc', 'x'))).toEqual([
      [
        { text: 'a', isHit: false },
        { text: 'X', isHit: true },
        { text: 'b', isHit: false },
        { text: 'x', isHit: true },
        { text: 'c', isHit: false },
      ],
    ]);
  });

  it('marks what goes on in another colour in both parts', () => {
    expect(cutParts([{ text: 'a t' }, { text: 'wo', bold: true }, { text: ' b' }], [[2, 5]])).toEqual([
      [
        { text: 'a ', isHit: false },
        { text: 't', isHit: true },
      ],
      [{ text: 'wo', isHit: true }],
      [{ text: ' b', isHit: false }],
    ]);
  });
});
