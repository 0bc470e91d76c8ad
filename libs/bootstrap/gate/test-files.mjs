import { spawnSync } from 'node:child_process';
import { matchesGlob } from 'node:path';

import { leftOutOfNpmTest } from '../tests/selection.mjs';
import { recordedTimes } from '../tests/times.mjs';

const TEST_FILE =
  /^(src|libs|examples)\/.*\.(spec\.ts|component\.tsx)$|^test\/.*\.(e2e|security|walk|faults|conformance|container|chart)\.ts$/;
/** Of a file that takes less than what is recorded, or is new. */
const SHORT_SECONDS = 2;
/** Of one that `npm test` leaves out, which takes long or starts a browser. */
const LONG_SECONDS = 20;

const matches = (path, globs) =>
  globs.some((glob) => glob === path || (/[*{]/.test(glob) && matchesGlob(path, glob)));

/** The test files of the repository, with the time that each took when all were run last. */
export class TestFiles {
  constructor() {
    const { stdout } = spawnSync('git', ['ls-files', '-z'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    this.paths = stdout.split('\0').filter((path) => TEST_FILE.test(path));
    this.times = recordedTimes();
    const leftOut = [...leftOutOfNpmTest(), 'test/{container,chart}/**', '**/*.component.tsx'];
    this.leftOut = new Set(this.paths.filter((path) => matches(path, leftOut)));
  }

  /** Test files that `npm test` runs. */
  inNpmTest(globs) {
    return this.paths.filter((path) => !this.leftOut.has(path) && matches(path, globs));
  }

  /** Test files that only `npm run test:full` runs. */
  onlyInFull(globs) {
    return this.paths.filter((path) => this.leftOut.has(path) && matches(path, globs));
  }

  /** Recorded seconds of one process on a quiet machine. */
  secondsOf(path) {
    return this.times[path] ?? (this.leftOut.has(path) ? LONG_SECONDS : SHORT_SECONDS);
  }
}
