import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Obstacle, root } from '../project.mjs';

const ledger = join(root, 'test', 'flaky.json');
/** A file with as many entries is left out of `npm test` until it is mended. */
const ENTRIES_OF_QUARANTINE = 3;

/** @returns {{ file: string, failure: string, seen: string }[]} failures that did not happen again when tried alone */
export function flakyFailures() {
  return JSON.parse(readFileSync(ledger, 'utf8'));
}

/** @returns {string[]} paths of the files that only `npm run test:full` runs */
export function quarantinedFiles() {
  const counts = new Map();
  for (const { file } of flakyFailures()) counts.set(file, (counts.get(file) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= ENTRIES_OF_QUARANTINE).map(([file]) => file);
}

/**
 * Adds a failure to the ledger.
 * @param {string} line what `npm test` prints after `flaky:`, which is `FILE > TEST: MESSAGE`
 * @param {string} seen the day, as YYYY-MM-DD
 * @throws {Obstacle} the line is something else
 */
export function addFlaky(line, seen) {
  const [file, ...failure] = line.replace(/^flaky: /, '').split(' > ');
  if (failure.length === 0 || !existsSync(join(root, file)))
    throw new Obstacle("Say the line as it was printed: npm run flaky -- 'FILE > TEST: MESSAGE'");
  write([...flakyFailures(), { file, failure: failure.join(' > '), seen }]);
}

/** Removes what is known of a file that was mended. */
export function removeFlaky(file) {
  const known = flakyFailures();
  const others = known.filter((entry) => entry.file !== file);
  if (others.length === known.length) throw new Obstacle(`test/flaky.json has nothing of ${file}`);
  write(others);
}

/** Prints which files passed only when they were tried once more. */
export function printFlaky(lines) {
  if (lines.length === 0) return;
  console.log("These failed, and passed alone. Note each of them: npm run flaky -- 'FILE > TEST: MESSAGE'");
  for (const line of lines) console.log(`flaky: ${line}`);
}

/** Prints what failed on one line, since an excerpt of a long log often is its last lines. */
export function printRed(lines) {
  if (lines.length > 0) console.log(`red: ${lines.join('; ')}`);
}

function write(entries) {
  writeFileSync(ledger, `${JSON.stringify(entries, null, 2)}\n`);
}
