import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../project.mjs';

const path = join(root, 'test', 'support', 'test-times.json');

/**
 * Writes how long each test file took, for `test/support/longest-first.ts`: in steps of five seconds, so that a further run
 * changes little of it, and without those that took none.
 * @param {{ files: import('./verdict.mjs').TestFile[] }} report
 */
export function recordTimes(report) {
  const times = report.files
    .map((file) => [file.path, 5 * Math.round(file.seconds / 5)])
    .filter(([, seconds]) => seconds > 0)
    .sort();
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`);
}

/** @returns {Record<string, number>} seconds by path of the file */
export function recordedTimes() {
  return JSON.parse(readFileSync(path, 'utf8'));
}
