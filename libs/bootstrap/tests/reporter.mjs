import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Reporter of Vitest: writes what `npm test` judges a run by as JSON to the path in GATEHOUSE_TEST_REPORT. Vitest's own JSON
 * names neither the project of a file nor the errors outside of tests.
 */
export default class Report {
  onInit({ config }) {
    this.root = config.root;
  }

  onTestRunEnd(modules, errors) {
    const report = { files: modules.map((module) => this.describe(module)), errors: errors.map(firstLine) };
    writeFileSync(process.env.GATEHOUSE_TEST_REPORT, JSON.stringify(report));
  }

  describe(module) {
    const tests = [...module.children.allTests()];
    const inState = (...states) => tests.filter((test) => states.includes(test.result().state));
    return {
      path: relative(this.root, module.moduleId),
      project: module.project.name,
      failed: !module.ok(),
      seconds: module.diagnostic().duration / 1000,
      tests: {
        passed: inState('passed').length,
        failed: inState('failed').length,
        skipped: inState('skipped', 'pending').map((test) => test.fullName),
      },
      failure: module.ok() ? null : firstFailure(module, inState('failed')),
    };
  }
}

/** @returns {{ test: string, message: string }} test: '' where none failed, but the file or a hook */
function firstFailure(module, failed) {
  if (failed.length > 0)
    return { test: failed[0].fullName, message: firstLine(failed[0].result().errors[0]) };
  const suites = [module, ...module.children.allSuites()];
  return { test: '', message: firstLine(suites.flatMap((suite) => suite.errors())[0]) };
}

function firstLine(error) {
  return (error?.message ?? 'no message').split('\n')[0].slice(0, 300);
}
