import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runNode } from './node.mjs';
import { prepare } from './prepare.mjs';
import { root, run } from './project.mjs';
import { summarize } from './test-summary.mjs';
import { recordTimes } from './test-times.mjs';

const LEFT_OUT =
  'Left out: browsers, containers, charts, other runtimes, packages, conformance suites, kills with real leases, files that start many processes, and nine tenths of what is tried by chance. They are in `npm run test:full`.';
/** The same inputs each time, and few of them. */
const LITTLE_CHANCE = { FUZZ_SEED: '1', FUZZ_SHARE: '0.1' };

/**
 * `npm test` prepares, runs Vitest, and ends with one line of counts. Arguments pass through to it; with `--full` or files
 * that are named nothing is left out, and `npm run test:full` writes anew how long each file took.
 */
await run(async () => {
  process.chdir(root);
  const args = process.argv.slice(2).filter((word) => word !== '--full');
  const everything = process.argv.length > 2;
  await prepare({ all: true });
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  try {
    const reportPath = join(directory, 'report.json');
    const { code } = await runNode(
      join('node_modules', 'vitest', 'vitest.mjs'),
      [...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`], ...args],
      {
        env: {
          NODE_COMPILE_CACHE: join(root, 'dist', '.compiled'),
          ...(everything ? { GATEHOUSE_TEST_EVERYTHING: '1' } : LITTLE_CHANCE),
          ...process.env,
        },
      },
    );
    const report = readReport(reportPath);
    const { passed, failed, skipped } = summarize(report, code);
    process.exitCode = code;
    if (process.env.GATEHOUSE_FORBID_SKIPS && skipped.length > 0) {
      console.log(`Skipped, which is not allowed here:\n${listed(skipped)}`);
      process.exitCode ||= 1;
    }
    if (!everything) console.log(LEFT_OUT);
    if (args.length === 0 && everything && failed === 0) recordTimes(report);
    console.log(`${passed} passed, ${failed} failed`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

function listed(names) {
  return names.map((name) => `  ${name}`).join('\n');
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
