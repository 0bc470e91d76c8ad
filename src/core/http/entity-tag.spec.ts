import { describe, expect, it } from 'vitest';

import { entityTag, isKnown, rangeApplies } from './entity-tag.js';

const tag = entityTag('abc');

describe('entity tags', () => {
  it.each(['"abc"', 'W/"abc"', '"x", "abc"', ' * '])('If-None-Match %s knows it', (header) => {
    expect(isKnown(header, tag)).toBe(true);
  });

  it.each([null, '"abcd"', 'abc', ''])('If-None-Match %s does not', (header) => {
    expect(isKnown(header, tag)).toBe(false);
  });

  it('a range is for the very same bytes only', () => {
    expect(rangeApplies(null, tag)).toBe(true);
    expect(rangeApplies('"abc"', tag)).toBe(true);
    expect(rangeApplies('W/"abc"', tag)).toBe(false);
    expect(rangeApplies('"abd"', tag)).toBe(false);
    expect(rangeApplies('Sat, 21 Nov 2026 10:00:00 GMT', tag)).toBe(false);
  });
});
