import { describe, expect, it } from 'vitest';

import { hoursOf, MOST_COUNTED, startOfHours } from './delivery-hours.js';

const SINCE = startOfHours(new Date('2026-01-31T12:34:56Z'));
const at = (hour: number): Date => new Date(SINCE.getTime() + hour * 3_600_000);
const count = (hour: number, status: 'delivered' | 'failed', count: number) => ({
  at: at(hour),
  status,
  count,
  first: at(hour + 0.5),
});

describe('hoursOf', () => {
  it('has the last 24 hours, the one that goes on included', () => {
    const { buckets, countedSince } = hoursOf(SINCE, [count(0, 'failed', 2), count(23, 'delivered', 5)]);
    expect(buckets).toHaveLength(24);
    expect(buckets[0]).toEqual({ at: '2026-01-30T13:00:00.000Z', delivered: 0, failed: 2, pending: 0 });
    expect(buckets[23]).toEqual({ at: '2026-01-31T12:00:00.000Z', delivered: 5, failed: 0, pending: 0 });
    expect(countedSince).toBe(SINCE.toISOString());
  });

  it('says from when on it has counted where there were more', () => {
    const { countedSince } = hoursOf(SINCE, [
      count(22, 'delivered', MOST_COUNTED - 1),
      count(23, 'failed', 1),
    ]);
    expect(countedSince).toBe(at(22.5).toISOString());
  });

  it('leaves out what was made in an hour that has begun meanwhile', () => {
    const { buckets } = hoursOf(SINCE, [count(24, 'delivered', 1)]);
    expect(buckets.every(({ delivered }) => delivered === 0)).toBe(true);
  });
});
