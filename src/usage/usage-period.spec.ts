import { describe, expect, it } from 'vitest';

import { usagePeriod } from './usage-period.js';

const DAY_MS = 24 * 3600 * 1000;

function period(anchor: string, moment: string): [string, string] {
  const { start, end } = usagePeriod(new Date(anchor), new Date(moment));
  return [start.toISOString(), end.toISOString()];
}

const days = (start: string, end: string): [string, string] => [
  `${start}T00:00:00.000Z`,
  `${end}T00:00:00.000Z`,
];

describe('a period', () => {
  it('begins with the day on which the workspace was made', () => {
    const made = '2026-03-15T17:20:03.123Z';
    expect(period(made, made)).toEqual(days('2026-03-15', '2026-04-15'));
    expect(period(made, '2026-04-14T23:59:59.999Z')).toEqual(days('2026-03-15', '2026-04-15'));
    expect(period(made, '2026-04-15T00:00:00.000Z')).toEqual(days('2026-04-15', '2026-05-15'));
    expect(period(made, '2027-01-01T00:00:00.000Z')).toEqual(days('2026-12-15', '2027-01-15'));
  });

  it('of a workspace made on a 31st ends with short months, and comes back to the 31st', () => {
    const made = '2027-01-31T23:59:59.999Z';
    expect(period(made, '2027-02-27T12:00:00Z')).toEqual(days('2027-01-31', '2027-02-28'));
    expect(period(made, '2027-02-28T00:00:00Z')).toEqual(days('2027-02-28', '2027-03-31'));
    expect(period(made, '2027-03-30T23:59:59Z')).toEqual(days('2027-02-28', '2027-03-31'));
    expect(period(made, '2027-03-31T00:00:00Z')).toEqual(days('2027-03-31', '2027-04-30'));
    expect(period(made, '2027-04-30T08:00:00Z')).toEqual(days('2027-04-30', '2027-05-31'));
    expect(period(made, '2028-02-29T00:00:00Z')).toEqual(days('2028-02-29', '2028-03-31'));
  });

  it('of a workspace made on a 29th of February keeps to the 29th', () => {
    const made = '2024-02-29T10:00:00Z';
    expect(period(made, '2025-02-28T00:00:00Z')).toEqual(days('2025-02-28', '2025-03-29'));
    expect(period(made, '2028-03-01T00:00:00Z')).toEqual(days('2028-02-29', '2028-03-29'));
  });

  it('follows the one before without a gap, for every day of the month and through leap years', () => {
    for (let day = 1; day <= 31; day++) {
      const anchor = new Date(Date.UTC(2023, 11, day, 13));
      let last = usagePeriod(anchor, anchor);
      for (let at = anchor.getTime(); at < Date.UTC(2028, 3, 2); at += DAY_MS) {
        const next = usagePeriod(anchor, new Date(at));
        expect(next.start.getTime()).toBeLessThanOrEqual(at);
        expect(next.end.getTime()).toBeGreaterThan(at);
        if (next.start.getTime() !== last.start.getTime()) expect(next.start).toEqual(last.end);
        last = next;
      }
    }
  });
});
