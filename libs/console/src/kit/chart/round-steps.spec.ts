import { describe, expect, it } from 'vitest';

import { roundSteps } from './round-steps.js';

describe('the marks of a scale', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [9, [0, 5, 10]],
    [41, [0, 20, 40, 60]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('of up to %i', (highest, steps) => {
    expect(roundSteps(highest)).toEqual(steps);
  });
});
