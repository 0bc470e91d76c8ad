import { describe, expect, it } from 'vitest';

import { LineSearch, cutAt } from './line-search.js';

describe('LineSearch', () => {
  it('goes on with what is new, whatever its case', () => {
    const lines = ['one', 'Two', '\u001b[31mt\u001b[0mwo', 'three'];
    const search = new LineSearch('TWO');
    expect(search.update(lines)).toEqual([1, 2]);
    lines.push('two again');
    expect(search.update(lines)).toEqual([1, 2, 4]);
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
