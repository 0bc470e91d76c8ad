import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { hasMarks, textOf } from './merge-text.js';
import { besideOf } from './merge-trees.js';
import { readInside } from './read-inside.js';

/** Those of the files with changes of both that nobody has brought together yet. */
export async function openConflicts(folder: string, paths: readonly string[]): Promise<string[]> {
  const open: string[] = [];
  for (const path of paths) {
    if (await lstat(join(folder, besideOf(path))).catch(() => null)) open.push(besideOf(path));
    else if (await isMarked(folder, path)) open.push(path);
  }
  return open;
}

async function isMarked(folder: string, path: string): Promise<boolean> {
  const content = await readInside(folder, path).catch(() => null);
  const text = content && textOf(content);
  return text !== null && hasMarks(text);
}
