import { expect, it } from 'vitest';

import { histogramWindow } from './histogram-window.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-26T12:00:30Z');

it('is the last week where no time is chosen', () => {
  expect(histogramWindow({}, NOW)).toEqual({ by: 'hour', since: '2026-11-19T14:00:00.000Z', chosen: null });
  expect(histogramWindow({ since: 'week' }, NOW)).toEqual(histogramWindow({}, NOW));
});

it('has as many hours as the service counts, also when another one has begun since', () => {
  for (const minutes of [0, 0.5, 30, 59, 59.9]) {
    const now = Date.parse('2026-11-26T12:00:00Z') + minutes * 60_000;
    const hoursUntil = (ms: number, since: string): number =>
      Math.floor(ms / HOUR_MS) - Math.floor(Date.parse(since) / HOUR_MS) + 1;
    const { by, since } = histogramWindow({ since: 'week' }, now);
    expect(by).toBe('hour');
    expect(hoursUntil(now, since)).toBe(167);
    expect(hoursUntil(now + HOUR_MS, since)).toBe(168);
  }
  const [since, until] = ['2026-11-17T10:30:00.000Z', '2026-11-24T10:30:00.000Z'];
  expect(histogramWindow({ since, until }, NOW)).toMatchObject({ since: '2026-11-17T11:00:00.000Z', until });
});

it('is what the list shows', () => {
  expect(histogramWindow({ since: 'month' }, NOW)).toMatchObject({ by: 'day', chosen: null });
  expect(histogramWindow({ since: '2026-11-01T00:00:00Z', until: '2026-11-03T00:00:00Z' }, NOW)).toEqual({
    by: 'hour',
    since: '2026-11-01T00:00:00.000Z',
    until: '2026-11-03T00:00:00.000Z',
    chosen: null,
  });
});

it('is the day around a short time', () => {
  const [since, until] = ['2026-11-20T12:00:00Z', '2026-11-20T14:00:00Z'];
  expect(histogramWindow({ since, until }, NOW)).toEqual({
    by: 'hour',
    since: '2026-11-20T01:00:00.000Z',
    until: '2026-11-21T01:00:00.000Z',
    chosen: { since: Date.parse(since), until: Date.parse(until) },
  });
  const last = histogramWindow({ since: 'hour' }, NOW);
  expect(last).toMatchObject({ since: '2026-11-25T12:00:00.000Z' });
  expect(last).not.toHaveProperty('until');
});

it('is by day where hours are kept no longer, and not without an end', () => {
  expect(histogramWindow({ since: '2026-06-01T00:00:00Z', until: '2026-06-02T00:00:00Z' }, NOW).by).toBe(
    'day',
  );
  const long = histogramWindow({ since: '2000-01-01T00:00:00Z' }, NOW);
  expect(NOW - Date.parse(long.since)).toBeLessThan(744 * 86_400_000);
});

it('has a length where the end is before the beginning', () => {
  const { since, until } = histogramWindow(
    { since: '2026-11-20T12:00:00Z', until: '2026-11-19T12:00:00Z' },
    NOW,
  );
  expect(Date.parse(until!) - Date.parse(since)).toBeGreaterThan(0);
});
