import { describe, expect, it } from 'vitest';

import { LineSearch, nextHit, withContext } from './line-search.js';

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

describe('withContext', () => {
  it('adds the lines around each hit, each once and none beyond the log', () => {
    expect(withContext([0, 4, 5, 9], 1, 10)).toEqual([0, 1, 3, 4, 5, 6, 8, 9]);
    expect(withContext([0, 4], 2, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(withContext([3], 0, 10)).toEqual([3]);
  });
});
