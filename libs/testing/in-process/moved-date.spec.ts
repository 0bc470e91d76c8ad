import { afterEach, describe, expect, it } from 'vitest';

import { isDateMoved, machineTime, moveDate, putDateBack } from './moved-date.js';

const DAY_MS = 86_400_000;
const NativeDate = globalThis.Date;

/** Whole days between what a clock says and the machine. */
const daysAhead = (ms: number): number => Math.round((ms - machineTime()) / DAY_MS);

describe('Date, moved', () => {
  const one = {};
  const other = {};

  afterEach(() => [one, other].forEach(putDateBack));

  it('says the moved moment in each of its forms', () => {
    moveDate(one, 3 * DAY_MS);
    expect(daysAhead(Date.now())).toBe(3);
    expect(daysAhead(new Date().getTime())).toBe(3);
    expect(daysAhead(Date.parse(Date()))).toBe(3);
    expect(daysAhead(NativeDate.now())).toBe(3);
  });

  it('makes dates as before of what it is given', () => {
    moveDate(one, DAY_MS);
    const date = new Date('2027-01-02T03:04:05Z');
    expect(date.toISOString()).toBe('2027-01-02T03:04:05.000Z');
    expect(new Date(2027, 0).getFullYear()).toBe(2027);
    expect(Date.UTC(1970, 0)).toBe(0);
    expect(date).toBeInstanceOf(NativeDate);
    expect(new NativeDate()).toBeInstanceOf(Date);
    class Special extends Date {}
    expect(new Special()).toBeInstanceOf(Special);
  });

  it('is as far ahead as the farthest, and back once nobody moves it', () => {
    moveDate(one, 5 * DAY_MS);
    moveDate(other, DAY_MS);
    expect(daysAhead(Date.now())).toBe(5);
    putDateBack(one);
    expect(daysAhead(Date.now())).toBe(1);
    putDateBack(other);
    expect(isDateMoved()).toBe(false);
    expect(globalThis.Date).toBe(NativeDate);
    expect(daysAhead(Date.now())).toBe(0);
  });
});
