import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { WrongUse } from '../failure/command-failure.js';
import { STATE_FOLDER } from './folder-base.js';
import { IgnoreRules } from './ignore-rules.js';
import { nameMatcher } from './name-matcher.js';

/** Never a part of a script: what is installed again, what belongs to tools, and what holds secrets on this machine. */
const NEVER = [
  '.git',
  STATE_FOLDER,
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
 * The files of a folder that make the script, by their paths in it, sorted: all but what `.gitignore` files name. No link is
 * followed, so each lies in the folder.
 *
 * @param ignore names and paths, with `*` for any characters
 */
export async function folderFiles(folder: string, ignore: readonly string[]): Promise<string[]> {
  const root = await realpath(folder);
  const isLeftOut = anyOf([...NEVER, ...ignore]);
  return (await filesBelow(root, root, await IgnoreRules.above(root), isLeftOut)).sort();
}

function anyOf(patterns: readonly string[]): (name: string, path: string) => boolean {
  const matchers = patterns.map(nameMatcher);
  return (name, path) => matchers.some((matches) => matches(name) || matches(path));
}

const isNever = anyOf(NEVER);

/** Whether a change of this file or folder may be one of the script. */
export const isWatched = (name: string): boolean => !isNever(name, name);

/** Whether a file may be sent at all, whatever `gatehouse.yaml` says. @param path below the root, through no link */
export async function isSent(root: string, path: string): Promise<boolean> {
  const file = join(root, path);
  let [at, rules] = [root, await IgnoreRules.above(root)];
  for (const name of path.split(sep)) {
    rules = await rules.in(at);
    at = join(at, name);
    if (isNever(name, relative(root, at)) || rules.ignores(at, at !== file)) return false;
  }
  return true;
}

async function filesBelow(
  root: string,
  directory: string,
  above: IgnoreRules,
  isLeftOut: (name: string, path: string) => boolean,
): Promise<string[]> {
  const rules = await above.in(directory);
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const full = join(directory, entry.name);
    const path = relative(root, full);
    if (isLeftOut(entry.name, path) || rules.ignores(full, entry.isDirectory())) continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, full, rules, isLeftOut)));
    else if (entry.isFile() || entry.isSymbolicLink()) found.push(namedInUtf8(path));
  }
  return found;
}

/** Node puts a sign in the place of bytes that are not UTF-8; the file itself cannot be named then. */
function namedInUtf8(path: string): string {
  if (!path.includes('\ufffd')) return path;
  throw new WrongUse(`"${path}" has a name that is not UTF-8.`, 'Rename it, or add it to `ignore`.');
}
