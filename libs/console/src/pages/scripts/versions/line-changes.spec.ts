import { describe, expect, it } from 'vitest';

import { lineChanges } from './line-changes.js';

describe('lineChanges', () => {
  it('tells which lines came and went', () => {
    expect(lineChanges(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] });
  });
});
