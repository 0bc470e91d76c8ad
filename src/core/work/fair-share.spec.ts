import { describe, expect, it } from 'vitest';

import { claimedOf, shareOf } from './fair-share.js';

describe('shareOf', () => {
  it.each([
    [1, 0.75, 1],
    [2, 0.75, 1],
    [3, 0.75, 2],
    [4, 0.75, 3],
    [5, 0.75, 4],
    [8, 0.75, 6],
    [100, 0.75, 75],
    [4, 1, 3],
    [4, 0.01, 1],
  ])('of %i places, %f is %i: rounded up, never all of several', (places, part, share) => {
    expect(shareOf(places, part)).toBe(share);
  });
});

describe('claimedOf', () => {
  it('takes the summary from rows of what was taken', () => {
    const summary = { missed: false, passedOver: true };
    expect(claimedOf([{ ...summary, id: 'a' }])).toMatchObject({ ...summary, items: [{ id: 'a' }] });
  });

  it('takes it from a row of its own where nothing was', () => {
    expect(claimedOf<{ id: string }>([{ missed: true, passedOver: false, id: null }])).toEqual({
      missed: true,
      passedOver: false,
      items: [],
    });
  });
});
