/**
 * @typedef {{ path: string, project: string, failed: boolean, seconds: number, failure: { test: string, message: string } | null,
 *   tests: { passed: number, failed: number, skipped: string[] } }} TestFile
 */

/** More files than these have failed by one cause, and not by chance. */
const MAX_SECOND_TRIES = 5;

/**
 * Judges one run of Vitest.
 * @param {{ files: TestFile[], errors: string[] } | null} report null: none was written
 * @param {number} exitCode of Vitest
 * @param {string[]} [problems] what the checks at the end of the run found
 * @returns {{ passed: number, failed: number, skipped: string[], red: TestFile[], errors: string[] }} errors: failures outside of
 * all tests, each counted as one
 */
export function judge(report, exitCode, problems = []) {
  const files = report?.files ?? [];
  const red = files.filter((file) => file.failed);
  const errors = [...(report?.errors ?? []), ...problems];
  if (exitCode !== 0 && red.length === 0 && errors.length === 0)
    errors.push(`Vitest ended with exit code ${exitCode}`);
  return {
    passed: sum(files, ({ tests }) => tests.passed),
    // A file that could not be loaded has no tests to count; it is a failure all the same.
    failed: sum(red, ({ tests }) => Math.max(1, tests.failed)) + errors.length,
    skipped: files.flatMap(({ tests }) => tests.skipped),
    red,
    errors,
  };
}

/**
 * Says why failed files are not tried a second time.
 * @param {{ red: TestFile[], errors: string[] }} verdict
 * @param {string[]} changed paths of the files that the change touches
 * @returns {string | null} null: each of them is tried once more
 */
export function refusesSecondTry({ red, errors }, changed) {
  if (errors.length > 0) return 'something failed outside of the tests';
  if (red.length > MAX_SECOND_TRIES) return `more than ${MAX_SECOND_TRIES} files failed`;
  const touched = red.map(({ path }) => path).filter((path) => changed.includes(path));
  return touched.length > 0 ? `the change touches ${touched.join(', ')}` : null;
}

/** Describes a failed file on one line, as `npm run flaky` takes it. */
export function describeFailure({ path, failure }) {
  return `${path} > ${failure.test || 'the file'}: ${failure.message}`;
}

function sum(items, amountOf) {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
