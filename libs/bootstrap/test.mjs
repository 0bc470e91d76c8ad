import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runNode } from './node.mjs';
import { prepare } from './prepare.mjs';
import { root, run } from './project.mjs';
import { summarize } from './test-summary.mjs';

const LEFT_OUT =
  'Left out: browsers, containers, charts, other runtimes, packages, conformance suites, and kills with real leases. They are in `npm run test:full`.';

/**
 * `npm test` prepares, runs Vitest, and ends with one line of counts. Arguments pass through to it; with `--full` or files
 * that are named nothing is left out.
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
      { env: { ...process.env, GATEHOUSE_TEST_EVERYTHING: everything ? '1' : '' } },
    );
    const { passed, failed, skipped, unsteady } = summarize(readReport(reportPath), code);
    process.exitCode = code;
    if (process.env.GATEHOUSE_FORBID_SKIPS && skipped.length > 0) {
      console.log(`Skipped, which is not allowed here:\n${listed(skipped)}`);
      process.exitCode ||= 1;
    }
    if (unsteady.length > 0) console.log(`Passed only at the second attempt:\n${listed(unsteady)}`);
    if (!everything) console.log(LEFT_OUT);
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
