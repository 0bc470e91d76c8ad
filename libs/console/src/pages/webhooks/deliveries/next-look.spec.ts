import { expect, it } from 'vitest';

import { nextLook } from './next-look.js';

const at = (ms: number) => ({ nextAttemptAt: new Date(ms).toISOString() });

it('is after the next attempt, and not at once for one that is overdue', () => {
  expect(nextLook([], 0)).toBeNull();
  expect(nextLook([{ nextAttemptAt: null }], 0)).toBeNull();
  expect(nextLook([at(400_000), at(300_000)], 0)).toBe(302_000);
  expect(nextLook([at(0)], 60_000)).toBe(3_000);
});
