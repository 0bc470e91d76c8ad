import { describe, expect, it } from 'vitest';

import { valueSteps } from './value-steps.js';

describe('the marks of a scale of values', () => {
  it.each([
    [0, 0, [0, 1]],
    [1, 9, [0, 2, 4, 6, 8, 10]],
    [0.02, 0.34, [0, 0.1, 0.2, 0.3, 0.4]],
    [-3, 7, [-5, 0, 5, 10]],
    [-120, -10, [-150, -100, -50, 0]],
    [-9, 41, [-20, 0, 20, 40, 60]],
    [0, 5e-324, [0, 1]],
    [0, 132_000, [0, 50_000, 100_000, 150_000]],
  ])('from %d to %d', (low, high, steps) => {
    const marks = valueSteps(low, high);
    expect(marks).toEqual(steps);
    expect(marks[0]).toBeLessThanOrEqual(Math.min(0, low));
    expect(marks.at(-1)).toBeGreaterThanOrEqual(high);
    expect(marks.length).toBeLessThanOrEqual(6);
  });
});
