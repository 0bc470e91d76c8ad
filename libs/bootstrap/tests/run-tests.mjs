import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runNode } from '../node.mjs';
import { root } from '../project.mjs';
import { describeFailure, judge, refusesSecondTry } from './verdict.mjs';

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');
const REPORTER = join('libs', 'bootstrap', 'tests', 'reporter.mjs');
/** The same inputs each time, and few of them. */
const LITTLE_CHANCE = { FUZZ_SEED: '1', FUZZ_SHARE: '0.1' };

/**
 * Runs tests and judges them. With `changed`, a failed file is tried once more by itself: one that passes then is flaky, and no
 * failure.
 * @param {object} options
 * @param {string[]} [options.args] arguments of Vitest: files, names of tests
 * @param {boolean} [options.everything] with all that `npm test` leaves out
 * @param {string[] | null} [options.changed] paths that the change touches, which are not tried twice; null: nothing is
 * @param {string[]} [options.except] files that are left out
 * @returns {Promise<{ passed: number, failed: number, skipped: string[], flaky: string[], red: string[], report: object | null }>}
 * flaky and red: a line of each file that failed, and of each failure outside of the tests
 */
export async function runTests({ args = [], everything = false, changed = null, except = [] }) {
  const env = {
    ...(everything ? { GATEHOUSE_TEST_EVERYTHING: '1' } : LITTLE_CHANCE),
    GATEHOUSE_TEST_EXCEPT: except.join(','),
  };
  const filter = everything ? [] : ['--tags-filter=!slow'];
  const { report, verdict } = await runVitest([...filter, ...args], env);
  const { passed, failed, skipped } = verdict;
  const red = [...verdict.red.map(describeFailure), ...verdict.errors];
  const result = { passed, failed, skipped, flaky: [], red, report };
  if (changed === null || failed === 0) return result;
  const refusal = refusesSecondTry(verdict, changed);
  if (refusal === null) return tryAgain(result, verdict.red, filter, env);
  console.log(`Not tried a second time, since ${refusal}.`);
  return result;
}

/** Each failed file alone, in new processes with a service and a database of its own. */
async function tryAgain(first, red, filter, env) {
  const result = { ...first };
  for (const file of red) {
    console.log(`\nOnce more, alone: ${file.path}`);
    const again = await runVitest([...filter, '--project', file.project, '--maxWorkers=1', file.path], env);
    if (again.verdict.failed > 0 || again.verdict.passed === 0) continue;
    result.failed -= Math.max(1, file.tests.failed);
    result.passed += again.verdict.passed - file.tests.passed;
    const line = describeFailure(file);
    result.flaky.push(line);
    result.red = result.red.filter((other) => other !== line);
  }
  return result;
}

async function runVitest(args, env) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const reportPath = join(directory, 'report.json');
  const problemsPath = join(directory, 'problems.json');
  try {
    const { code } = await runNode(VITEST, ['run', '--reporter=default', `--reporter=${REPORTER}`, ...args], {
      env: {
        NODE_COMPILE_CACHE: join(root, 'dist', '.compiled'),
        ...env,
        ...process.env,
        GATEHOUSE_TEST_REPORT: reportPath,
        GATEHOUSE_TEST_PROBLEMS: problemsPath,
      },
    });
    const report = readJson(reportPath);
    return { report, verdict: judge(report, code, readJson(problemsPath) ?? []) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}
