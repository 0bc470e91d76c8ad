import { describe, expect, it } from 'vitest';

import { quietUntil } from './quiet-hours.js';

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
const until = (instant: string, quiet: Parameters<typeof quietUntil>[1] = night): string =>
  quietUntil(new Date(instant), quiet).toISOString();

describe('quietUntil', () => {
  it.each([
    ['by day', '2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z'],
    ['before midnight', '2026-01-15T21:30:40.000Z', '2026-01-16T06:00:00.000Z'],
    ['after midnight', '2026-01-16T01:00:00.000Z', '2026-01-16T06:00:00.000Z'],
    ['at its end', '2026-01-16T06:00:00.000Z', '2026-01-16T06:00:00.000Z'],
    ['at its beginning', '2026-01-15T21:00:00.000Z', '2026-01-16T06:00:00.000Z'],
    ['in the night that is shorter', '2026-03-28T23:30:00.000Z', '2026-03-29T05:00:00.000Z'],
    ['in the night that is longer', '2026-10-24T22:30:00.000Z', '2026-10-25T06:00:00.000Z'],
  ])('%s', (_, instant, expected) => {
    expect(until(instant)).toBe(expected);
  });

  it('is at once without quiet hours', () => {
    expect(until('2026-01-15T23:00:00.000Z', null)).toBe('2026-01-15T23:00:00.000Z');
  });

  it('may be within a day', () => {
    const noon = { from: '12:00', to: '13:30', timeZone: 'UTC' };
    expect(until('2026-01-15T12:15:00.000Z', noon)).toBe('2026-01-15T13:30:00.000Z');
    expect(until('2026-01-15T13:30:00.000Z', noon)).toBe('2026-01-15T13:30:00.000Z');
  });
});
