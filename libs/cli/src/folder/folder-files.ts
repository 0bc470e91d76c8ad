import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { WrongUse } from '../failure/command-failure.js';
import { filesOfGit } from './files-of-git.js';
import { nameMatcher } from './name-matcher.js';

/** Never a part of a script: what is installed again, what belongs to tools, and what holds secrets on this machine. */
const NEVER = [
  '.git',
  '.env',
  '.env.*',
  '.venv',
  'venv',
  'node_modules',
  '.deps',
  '__pycache__',
  '*.pyc',
  '.DS_Store',
];

/**
 * The files of a folder that make the script, by their paths in it, sorted. In a repository of git, what it ignores is left out.
 *
 * @param ignore names and paths, with `*` for any characters
 */
export async function folderFiles(folder: string, ignore: readonly string[]): Promise<string[]> {
  const matchers = [...NEVER, ...ignore].map(nameMatcher);
  const isLeftOut = (path: string): boolean => {
    const parts = path.split('/');
    return parts.some((part, place) => {
      const upTo = parts.slice(0, place + 1).join('/');
      return matchers.some((matches) => matches(part) || matches(upTo));
    });
  };
  const all = (await filesOfGit(folder)) ?? (await filesBelow(folder, '', isLeftOut));
  const paths = all.filter((path) => !isLeftOut(path)).sort();
  // Node puts this in the place of bytes that are not UTF-8; the file itself cannot be named then.
  const odd = paths.find((path) => path.includes('\ufffd'));
  if (odd !== undefined) {
    throw new WrongUse(`"${odd}" has a name that is not UTF-8.`, 'Rename it, or add it to `ignore`.');
  }
  return paths;
}

async function filesBelow(
  folder: string,
  below: string,
  isLeftOut: (path: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isLeftOut(path)) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, path, isLeftOut)));
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
  }
  return found;
}
