import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

interface TestFile {
  path: string;
  failed: boolean;
  tests: { passed: number; failed: number; skipped: string[] };
}
interface Verdict {
  passed: number;
  failed: number;
  skipped: string[];
  red: TestFile[];
  errors: string[];
}

const { judge, refusesSecondTry } = (await import(
  pathToFileURL(join('libs', 'bootstrap', 'tests', 'verdict.mjs')).href
)) as {
  judge(report: { files: TestFile[]; errors: string[] } | null, code: number, problems?: string[]): Verdict;
  refusesSecondTry(verdict: Verdict, changed: string[]): string | null;
};

const file = (path: string, passed: number, failed: number, skipped: string[] = []): TestFile => ({
  path,
  failed: failed > 0,
  tests: { passed, failed, skipped },
});
const run = (...files: TestFile[]): Verdict => judge({ files, errors: [] }, 1);
const redFiles = (count: number): TestFile[] =>
  Array.from({ length: count }, (_, index) => file(`test/e2e/file-${index}.e2e.ts`, 3, 1));

describe('the verdict on a run of tests', () => {
  it('counts tests, and names those that did not run', () => {
    expect(run(file('a.spec.ts', 1, 2, ['later']), file('b.spec.ts', 1, 0, ['todo']))).toMatchObject({
      passed: 2,
      failed: 2,
      skipped: ['later', 'todo'],
    });
  });

  it('counts a file that could not be loaded', () => {
    expect(run({ ...file('a.spec.ts', 0, 0), failed: true })).toMatchObject({ passed: 0, failed: 1 });
  });

  it('never says that nothing failed where Vitest did', () => {
    expect(judge(null, 1)).toMatchObject({ passed: 0, failed: 1 });
    expect(judge({ files: [file('a.spec.ts', 1, 0)], errors: [] }, 1)).toMatchObject({
      passed: 1,
      failed: 1,
    });
    expect(judge({ files: [file('a.spec.ts', 1, 0)], errors: [] }, 0)).toMatchObject({
      passed: 1,
      failed: 0,
    });
  });

  it('counts what failed outside of the tests', () => {
    const report = { files: [file('a.spec.ts', 1, 0)], errors: ['unhandled'] };
    expect(judge(report, 1, ['an event of no type'])).toMatchObject({
      failed: 2,
      errors: ['unhandled', 'an event of no type'],
    });
  });
});

describe('a second try', () => {
  it('is made of five failed files, and of no more', () => {
    expect(refusesSecondTry(run(...redFiles(5)), ['src/main.ts'])).toBeNull();
    expect(refusesSecondTry(run(...redFiles(6)), [])).toContain('more than 5');
  });

  it('is not made of a file that the change touches', () => {
    expect(refusesSecondTry(run(...redFiles(2)), ['test/e2e/file-1.e2e.ts'])).toContain('file-1');
  });

  it('is not made where something failed outside of the tests', () => {
    expect(refusesSecondTry(judge({ files: redFiles(1), errors: ['unhandled'] }, 1), [])).toContain(
      'outside',
    );
  });
});
