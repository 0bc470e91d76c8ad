/**
 * Counts of tests from Vitest's JSON report.
 * @param {object | null} report null: Vitest wrote none
 * @param {number} exitCode of Vitest
 * @returns {{ passed: number, failed: number, skipped: string[] }}
 */
export function summarize(report, exitCode) {
  const files = report?.testResults ?? [];
  const tests = files.flatMap((file) => file.assertionResults);
  const passed = tests.filter((test) => test.status === 'passed').length;
  // A file that could not be loaded has no tests to count; it is a failure all the same.
  const broken = files.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = tests.filter((test) => test.status === 'failed').length + broken;
  const skipped = tests
    .filter((test) => test.status !== 'passed' && test.status !== 'failed')
    .map((test) => test.fullName);
  // An error outside of any test, or no test at all, fails the run without a failed test.
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}
