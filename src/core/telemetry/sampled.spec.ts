import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Sampled } from './sampled.js';

describe('Sampled', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('asks once in a while, and once for all who look meanwhile', async () => {
    let count = 0;
    const sampled = new Sampled(async () => (count += 1));
    expect(await Promise.all([sampled.value(), sampled.value()])).toEqual([1, 1]);
    vi.advanceTimersByTime(4_000);
    expect(await sampled.value()).toBe(1);
    vi.advanceTimersByTime(2_000);
    expect(await sampled.value()).toBe(2);
  });

  it('is not a number where the figure cannot be had', async () => {
    expect(await new Sampled(() => Promise.reject(new Error('away'))).value()).toBeNaN();
  });
});
