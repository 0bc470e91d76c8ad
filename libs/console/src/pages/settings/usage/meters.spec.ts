import { expect, test } from 'vitest';

import { amountText, shareUsed } from './meters.js';

test.each([
  ['runs', 1204, '1,204'],
  ['run_seconds', 42, '42 s'],
  ['run_seconds', 12_030, '3 h 20 min'],
  ['storage_bytes', 0, '0 B'],
  ['storage_bytes', 999, '999 B'],
  ['storage_bytes', 1_400_000_000, '1.4 GB'],
] as const)('says %s of %d as %s', (id, amount, text) => {
  expect(amountText(id, amount)).toBe(text);
});

test('fills a bar no further than its end, and none where there is no limit', () => {
  expect(shareUsed({ used: 5, limit: 20 })).toBe(25);
  expect(shareUsed({ used: 30, limit: 20 })).toBe(100);
  expect(shareUsed({ used: 0, limit: 0 })).toBe(100);
  expect(shareUsed({ used: 30, limit: null })).toBeNull();
});
