import { describe, expect, it } from 'vitest';

import { entityTag, rangeApplies } from './entity-tag.js';

const tag = entityTag('abc');

describe('entity tags', () => {
  it('a range is for the very same bytes only', () => {
    expect(rangeApplies(null, tag)).toBe(true);
    expect(rangeApplies('"abc"', tag)).toBe(true);
    expect(rangeApplies('W/"abc"', tag)).toBe(false);
    expect(rangeApplies('"abd"', tag)).toBe(false);
    expect(rangeApplies('Sat, 21 Nov 2026 10:00:00 GMT', tag)).toBe(false);
  });
});
