import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { root } from './project.mjs';

/**
 * Writes how long each test file took, for `test/support/longest-first.ts`: in steps of five seconds, so that a further run
 * changes little of it, and without those that took none.
 * @param {object} report Vitest's JSON
 */
export function recordTimes(report) {
  const times = report.testResults
    .map(({ name, startTime, endTime }) => [
      relative(root, name),
      5 * Math.round((endTime - startTime) / 5000),
    ])
    .filter(([, seconds]) => seconds > 0)
    .sort();
  const path = join(root, 'test', 'support', 'test-times.json');
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`);
}
