import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { WaitingClock } from './waiting-clock.js';

describe('the clock of a run that waits for people', () => {
  const told: boolean[] = [];
  beforeEach(() => {
    told.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const clockOf = (mostMs: number): WaitingClock => new WaitingClock((held) => told.push(held), mostMs);

  it('is held from the first request that waits to the last', () => {
    const clock = clockOf(1_000);
    const [one, two] = [clock.begin(), clock.begin()];
    one();
    one();
    expect(told).toEqual([true]);
    two();
    expect(told).toEqual([true, false]);
    clock.begin();
    expect(told).toEqual([true, false, true]);
  });

  it('goes on once it was held for as long as it may be, in all', () => {
    const clock = clockOf(1_000);
    const over = clock.begin();
    vi.advanceTimersByTime(600);
    over();
    clock.begin();
    vi.advanceTimersByTime(399);
    expect(told).toEqual([true, false, true]);
    vi.advanceTimersByTime(2);
    expect(told).toEqual([true, false, true, false]);
    clock.begin();
    expect(told).toHaveLength(4);
  });
});
