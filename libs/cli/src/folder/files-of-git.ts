import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { CommandFailure } from '../failure/command-failure.js';

/**
 * The files of a folder that git knows or would add; null where the folder is in no repository.
 *
 * @throws CommandFailure where it is in one, and git cannot say: what it ignores, secrets often, would be sent
 */
export async function filesOfGit(folder: string): Promise<string[] | null> {
  if (!isInRepository(folder)) return null;
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { stdout } = await promisify(execFile)('git', args, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { stderr?: string }) => {
    const reason = error.stderr?.trim().split('\n')[0] || error.message;
    throw new CommandFailure(
      `git cannot list the files of ${folder}: ${reason}`,
      'Mend that first: files that git ignores would be sent otherwise.',
    );
  });
  const paths = [...new Set(stdout.split('\0').filter((path) => path !== ''))];
  const there = await Promise.all(paths.map((path) => isFile(join(folder, path))));
  return paths.filter((path, place) => there[place] || path.includes('\ufffd'));
}

function isInRepository(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}

/** A file that git knows may be deleted here. */
async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && (found.isFile() || found.isSymbolicLink());
}
