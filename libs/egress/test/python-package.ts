import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const PYTHON = '/usr/bin/python3';
const run = promisify(execFile);

/** A folder with a package of PyPI and what it needs, installed once for this checkout. */
export async function pythonPackage(requirement: string): Promise<string> {
  const folder = resolve('dist', '.test-tools', requirement.replace(/[^\w.-]/g, '_'));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const options = ['--quiet', '--disable-pip-version-check', '--no-warn-script-location'];
  await run(PYTHON, ['-m', 'pip', 'install', ...options, '--target', unfinished, requirement]);
  // Another test may have been first: then theirs is as good.
  await rename(unfinished, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** Whether a program is in a folder of PATH. */
export function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
