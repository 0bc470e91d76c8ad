import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { Dump } from './dump.js';

const exec = promisify(execFile);
const MOST_OUTPUT = 2 ** 28;

/** The program of a release, built of its commit once and kept below `dist`. */
export async function programOf({ version, commit }: Dump): Promise<string> {
  const folder = resolve('dist/releases', `${version}-${commit.slice(0, 12)}`);
  await haveCommit(commit).catch(() => {
    throw new Error(
      `The commit ${commit} of ${version} is not in this repository: fetch it with its history.`,
    );
  });
  if (!existsSync(folder)) await unpack(commit, folder);
  // It does nothing where all is there.
  await exec(process.execPath, ['libs/bootstrap/prepare.mjs'], { cwd: folder, maxBuffer: MOST_OUTPUT });
  return join(folder, 'dist/src/main.js');
}

/** A clone may be without its history. */
async function haveCommit(commit: string): Promise<void> {
  await exec('git', ['cat-file', '-e', `${commit}^{commit}`]).catch(() =>
    exec('git', ['fetch', '--quiet', '--depth=1', 'origin', commit]),
  );
}

async function unpack(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await exec('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder]);
  const [ours, theirs] = await Promise.all(
    ['package-lock.json', join(folder, 'package-lock.json')].map((path) => readFile(path, 'utf8')),
  );
  // The same packages need not be installed twice.
  if (ours === theirs) await symlink(resolve('node_modules'), join(folder, 'node_modules'));
}
