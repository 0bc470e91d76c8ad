import { expect, test } from 'vitest';

import { amountText, runLimitLines, shareUsed } from './meters.js';

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

test('says of a run what the plan limits, and nothing of the rest', () => {
  const none = { maxMemory: null, maxCpus: null, maxProcesses: null, maxTimeout: null };
  expect(runLimitLines(none)).toEqual([]);
  expect(runLimitLines({ ...none, maxMemory: 2048, maxCpus: 0.5, maxTimeout: 900 })).toEqual([
    '2,048 MiB of memory',
    'the time of 0.5 processors',
    '15 min 0 s',
  ]);
});
