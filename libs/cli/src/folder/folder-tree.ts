import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';

import { green, red, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { readInside } from './read-inside.js';

/** Files of a folder by their paths in it, each with a digest of what it is: content, or target, and whether it is a program. */
export type Digests = ReadonlyMap<string, string>;

/** Files that lie in a folder of this machine. */
export interface Tree {
  folder: string;
  digests: Digests;
}

export type EntryKind = 'file' | 'program' | 'link';

/** What lies at a path: the target of a link, and the content of all else. */
export interface Entry {
  kind: EntryKind;
  content: Buffer;
}

/** What of one is another than in the other. */
export interface Changes {
  added: string[];
  changed: string[];
  removed: string[];
}

export async function treeOf(folder: string, paths: readonly string[]): Promise<Tree> {
  const digests = new Map<string, string>();
  for (const path of paths) {
    const { kind, content } = await readEntry(folder, path);
    digests.set(path, createHash('sha256').update(kind).update(content).digest('hex'));
  }
  return { folder, digests };
}

/** No link leads it out of the folder. */
export async function readEntry(folder: string, path: string): Promise<Entry> {
  const stat = await lstat(join(folder, path));
  if (stat.isSymbolicLink())
    return { kind: 'link', content: Buffer.from(await readlink(join(folder, path))) };
  return { kind: stat.mode & 0o111 ? 'program' : 'file', content: await readInside(folder, path) };
}

export function changesOf(before: Digests, after: Digests): Changes {
  const paths = [...after.keys()];
  return {
    added: paths.filter((path) => !before.has(path)),
    changed: paths.filter((path) => before.has(path) && before.get(path) !== after.get(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
  };
}

export const isNothing = ({ added, changed, removed }: Changes): boolean =>
  added.length + changed.length + removed.length === 0;

export function sayChanges({ added, changed, removed }: Changes): void {
  for (const path of added) say(green(`+ ${path}`));
  for (const path of changed) say(yellow(`~ ${path}`));
  for (const path of removed) say(red(`- ${path}`));
}
