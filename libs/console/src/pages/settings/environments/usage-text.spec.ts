import { expect, test } from 'vitest';

import { usageText } from './usage-text.js';

test.each([
  [{ schedules: 0, triggers: 0, hooks: 0, secretValues: 0 }, 'No schedules, triggers, hooks or secrets'],
  [{ schedules: 1, triggers: 0, hooks: 1, secretValues: 2 }, '1 schedule, 1 hook, 2 secret values'],
])('says what %j is', (usage, text) => {
  expect(usageText(usage)).toBe(text);
});
