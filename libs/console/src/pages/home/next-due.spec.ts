import { describe, expect, it } from 'vitest';

import { msUntilDue, nextDue } from './next-due.js';

const at = (time: string | null) => ({ nextRunAt: time === null ? null : `2026-11-27T${time}:00Z` });

describe('nextDue', () => {
  it('has those that are on, the next one first', () => {
    const schedules = [at('12:00'), at(null), at('09:00'), at('10:30')];
    expect(nextDue(schedules, 2)).toEqual([at('09:00'), at('10:30')]);
  });
});

describe('msUntilDue', () => {
  const now = Date.parse('2026-11-27T08:59:00Z');

  it('is a moment after the next one', () => {
    expect(msUntilDue([at('12:00'), at('09:00')], now)).toBe(65_000);
  });

  it('is soon where one is overdue, never more than a day, and never where none is on', () => {
    expect(msUntilDue([at('08:00')], now)).toBe(5_000);
    expect(msUntilDue([{ nextRunAt: '2030-01-01T00:00:00Z' }], now)).toBe(86_400_000);
    expect(msUntilDue([at(null)], now)).toBe(false);
  });
});
