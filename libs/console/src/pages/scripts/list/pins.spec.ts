import { describe, expect, it } from 'vitest';

import { MOST_PINS, pinsOf, toggled } from './pins.js';

describe('pins', () => {
  it('adds at the end, and takes away', () => {
    expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('lets the oldest go beyond the most', () => {
    const full = Array.from({ length: MOST_PINS }, (_, index) => `script-${index}`);
    expect(toggled(full, 'new')).toEqual([...full.slice(1), 'new']);
  });

  it('reads what was stored, and nothing else', () => {
    expect(pinsOf('["a","b","a"]')).toEqual(['a', 'b']);
    expect(pinsOf('["a",1,null,""]')).toEqual(['a']);
    expect(pinsOf('{"a":1}')).toEqual([]);
    expect(pinsOf('not json')).toEqual([]);
    expect(pinsOf(undefined)).toEqual([]);
  });
});
