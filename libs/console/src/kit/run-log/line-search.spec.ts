import { describe, expect, it } from 'vitest';

import { LineSearch, cutAt, nextHit } from './line-search.js';

describe('LineSearch', () => {
  it('goes on with what is new, whatever its case', () => {
    const lines = ['one', 'Two', '\u001b[31mt\u001b[0mwo', 'three'];
    const search = new LineSearch('TWO');
    expect(search.update(lines)).toEqual([1, 2]);
    lines.push('two again');
    expect(search.update(lines)).toEqual([1, 2, 4]);
  });
});

describe('nextHit', () => {
  it('goes on and back from a line, and round at either end', () => {
    const hits = [3, 7, 9];
    expect(([-1, 3, 5, 9] as const).map((from) => nextHit(hits, from, 1))).toEqual([3, 7, 7, 3]);
    expect(([-1, 3, 5, 9] as const).map((from) => nextHit(hits, from, -1))).toEqual([9, 9, 3, 7]);
    expect(nextHit([], 5, 1)).toBeNull();
  });
});

describe('cutAt', () => {
  it('marks each place', () => {
    expect(cutAt('aXbxc', 'x')).toEqual([
      { text: 'a', isHit: false },
      { text: 'X', isHit: true },
      { text: 'b', isHit: false },
      { text: 'x', isHit: true },
      { text: 'c', isHit: false },
    ]);
  });

  it('leaves a text alone whose length changes with its case', () => {
    expect(cutAt('İx', 'x')).toEqual([{ text: 'İx', isHit: false }]);
  });
});
