import { describe, expect, it } from 'vitest';

import { retryAfter, waitAfter } from './backoff.js';

const HOUR = 3_600_000;

describe('waitAfter', () => {
  it.each([
    [1, 5_000],
    [2, 300_000],
    [3, 1_800_000],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [9, 5 * HOUR],
  ])('waits after attempt %i about %i ms', (failed, usual) => {
    expect(waitAfter(failed, null, 0.5)).toBe(usual);
    expect(waitAfter(failed, null, 0)).toBe(usual * 0.8);
    expect(waitAfter(failed, null, 1)).toBe(usual * 1.2);
  });

  it('is lengthened by the receiver, to a day at most, and never shortened', () => {
    expect(waitAfter(1, 60_000, 0.5)).toBe(60_000);
    expect(waitAfter(1, 1_000, 0.5)).toBe(5_000);
    expect(waitAfter(1, 48 * HOUR, 0.5)).toBe(24 * HOUR);
  });
});

describe('retryAfter', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['99999999999999999999', 24 * HOUR],
    ['Sat, 31 Jan 2026 12:01:00 GMT', 60_000],
    ['Saturday, 31-Jan-26 12:01:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 11:59:00 GMT', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['2026', 2_026_000],
    ['', null],
    [undefined, null],
  ])('reads %j as %j', (header, ms) => {
    expect(retryAfter(header, now)).toBe(ms);
  });
});
