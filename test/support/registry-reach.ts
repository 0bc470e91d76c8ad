import { execFile } from 'node:child_process';

import { PATIENCE_MS } from '../../libs/testing/patience.js';

/**
 * Why the package registries that pip and npm of this machine use cannot be reached, or null. Where they cannot, tests that need them
 * are left out, unless GATEHOUSE_FORBID_SKIPS is 1.
 */
export async function whyNoRegistries(): Promise<string | null> {
  const answers = await Promise.all([
    answersTo('/usr/bin/python3', ['-m', 'pip', 'index', 'versions', 'requests']),
    answersTo('npm', ['view', 'is-odd', 'version']),
  ]);
  const why = answers.every(Boolean)
    ? null
    : `pip reaches its index: ${answers[0]}; npm reaches its registry: ${answers[1]}`;
  if (why !== null && process.env['GATEHOUSE_FORBID_SKIPS'] === '1') throw new Error(why);
  if (why !== null) console.log(`Tests with real packages are left out (${why}).`);
  return why;
}

function answersTo(command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: '/', timeout: PATIENCE_MS }, (error) => resolve(error === null));
  });
}
