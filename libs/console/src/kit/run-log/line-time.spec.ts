import { describe, expect, it } from 'vitest';

import { timeSince } from './line-time.js';

describe('timeSince', () => {
  it.each([
    [0, '0.0'],
    [349, '0.3'],
    [12_000, '12.0'],
    [123_100, '2:03.1'],
    [3_723_450, '1:02:03.4'],
    [-50, '0.0'],
  ])('says %i ms as %s', (ms, text) => expect(timeSince(1_000_000 + ms, 1_000_000)).toBe(text));
});
