import { changedFiles } from './check/changes.mjs';
import { prepare } from './prepare.mjs';
import { root, run } from './project.mjs';
import { printFlaky, printRed, quarantinedFiles } from './tests/flaky-files.mjs';
import { runTests } from './tests/run-tests.mjs';
import { recordTimes } from './tests/times.mjs';

const LEFT_OUT =
  'Left out: browsers, containers, charts, other runtimes, packages, conformance suites, kills with real leases, files that start many processes, tests with the tag `slow`, long files that only a change of their own folder can break, and nine tenths of what is tried by chance. They are in `npm run test:full`.';

/**
 * `npm test` prepares, runs Vitest, and ends with one line of counts; a file that fails is tried once more. Arguments pass through
 * to Vitest. With `--full` or files that are named, nothing is left out or tried twice, and `--full` writes anew how long each
 * file took.
 */
await run(async () => {
  process.chdir(root);
  const args = process.argv.slice(2).filter((word) => word !== '--full');
  const everything = process.argv.length > 2;
  await prepare({ all: true });
  const { passed, failed, skipped, flaky, red, report } = await runTests({
    args,
    everything,
    changed: everything ? null : (changedFiles() ?? []),
  });
  process.exitCode = failed === 0 ? 0 : 1;
  if (process.env.GATEHOUSE_FORBID_SKIPS && skipped.length > 0) {
    console.log(`Skipped, which is not allowed here:\n${skipped.map((name) => `  ${name}`).join('\n')}`);
    process.exitCode = 1;
  }
  if (!everything) {
    console.log(LEFT_OUT);
    for (const file of quarantinedFiles()) console.log(`Left out, since it fails now and then: ${file}`);
  }
  if (args.length === 0 && everything && failed === 0) recordTimes(report);
  printFlaky(flaky);
  printRed(red);
  console.log(`${passed} passed, ${failed} failed`);
});
