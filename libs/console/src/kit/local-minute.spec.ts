import { expect, test } from 'vitest';

import { localMinute } from './local-minute.js';

test('is read back as the same minute', () => {
  const instant = new Date(2026, 0, 31, 9, 30).getTime();
  expect(localMinute(instant)).toBe('2026-01-31T09:30');
  expect(new Date(localMinute(instant)).getTime()).toBe(instant);
});
