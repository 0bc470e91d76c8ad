import { describe, expect, it } from 'vitest';

import { parseTags } from './tags.js';

describe('parseTags', () => {
  it('keeps their order and each once', () => {
    expect(parseTags(['b', 'a-1', 'b'])).toEqual(['b', 'a-1']);
  });

  it.each(['', 'A', 'a b', 'ä', 'a'.repeat(51), 1, null])('%j is refused with its place', (tag) => {
    expect(() => parseTags(['ok', tag])).toThrow(/^tags\.1: /);
  });
});
