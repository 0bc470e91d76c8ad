import { describe, expect, it } from 'vitest';

import { countSteps, durationSteps } from './duration-steps.js';

describe('the marks of a scale of durations', () => {
  it.each([
    [0, ['0', '1 ms']],
    [340, ['0', '100 ms', '200 ms', '300 ms', '400 ms']],
    [7_200, ['0', '2 s', '4 s', '6 s', '8 s']],
    [150_000, ['0', '1 min', '2 min', '3 min']],
    [4 * 3_600_000, ['0', '1 h', '2 h', '3 h', '4 h']],
  ])('of up to %i ms are whole units', (highest, texts) => {
    const steps = durationSteps(highest);
    expect(steps.map(({ text }) => text)).toEqual(texts);
    expect(steps.at(-1)!.at).toBeGreaterThanOrEqual(highest);
  });

  it('of counts are grouped as people write them', () => {
    expect(countSteps(1_234).map(({ text }) => text)).toEqual(['0', '500', '1,000', '1,500']);
  });
});
