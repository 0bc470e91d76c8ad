import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { CommandFailure } from '../failure/command-failure.js';
import { type Digests, type Entry, type EntryKind, readEntry, type Tree } from './folder-tree.js';
import { mergeTexts, textOf } from './merge-text.js';
import { obstacleTo, removeInside, writeInside } from './write-inside.js';

/** One change of a folder. `entry` null: the file is taken away. */
interface Write {
  path: string;
  entry: Entry | null;
}

/** What has to be done to a folder, so that it has what another version changed. */
export interface MergePlan {
  writes: Write[];
  /** Files with changes of both, each with what a person finds. */
  conflicts: { path: string; words: string }[];
}

interface MergeSides {
  mine: Tree;
  /** What both were made of; null: nobody knows. */
  base: Tree | null;
  theirs: Tree;
  /** What theirs is called: `version 5`. */
  name: string;
}

/** How a file is called that could not be brought together with that of the folder, and lies beside it. */
export const besideOf = (path: string): string => `${path}.theirs`;

/**
 * A three-way merge. What only theirs has changed is taken, what only the folder has changed stays. Nothing is written yet.
 *
 * @throws CommandFailure where something of this machine is in the way
 */
export async function planMerge(sides: MergeSides): Promise<MergePlan> {
  const { mine, base, theirs } = sides;
  const plan: MergePlan = { writes: [], conflicts: [] };
  const known: Digests = base?.digests ?? new Map();
  for (const path of new Set([...mine.digests.keys(), ...theirs.digests.keys()])) {
    const [here, before, there] = [mine.digests.get(path), known.get(path), theirs.digests.get(path)];
    if (here === there || there === before) continue;
    if (here === before) {
      plan.writes.push({ path, entry: there === undefined ? null : await readEntry(theirs.folder, path) });
    } else await mergeFile(plan, path, sides);
  }
  await refuseObstacles(plan, mine);
  return plan;
}

export async function carryOut({ writes }: MergePlan, folder: string): Promise<void> {
  // What is taken away first may have been a file where a folder comes.
  for (const { path, entry } of writes) if (entry === null) await removeInside(folder, path);
  for (const { path, entry } of writes) if (entry !== null) await writeInside(folder, path, entry);
}

/** Both have another one than before. */
async function mergeFile(plan: MergePlan, path: string, { mine, base, theirs, name }: MergeSides) {
  const { writes, conflicts } = plan;
  const theirEntry = theirs.digests.has(path) ? await readEntry(theirs.folder, path) : null;
  if (theirEntry === null) {
    // Without a base, nothing says that they have taken it away.
    if (base !== null) conflicts.push({ path, words: `changed here, and taken away in ${name}` });
    return;
  }
  if (!mine.digests.has(path)) {
    writes.push({ path, entry: theirEntry });
    conflicts.push({ path, words: `taken away here, and changed in ${name}` });
    return;
  }
  const myEntry = await readEntry(mine.folder, path);
  const oldEntry = base?.digests.has(path) ? await readEntry(base.folder, path) : null;
  const texts = [myEntry, theirEntry, oldEntry].map((entry) => entry && linesOf(entry));
  const [myText = null, theirText = null, oldText = null] = texts;
  if (myText === null || theirText === null || (oldEntry !== null && oldText === null)) {
    writes.push({ path: besideOf(path), entry: theirEntry });
    conflicts.push({ path, words: `changed here and in ${name}, whose file is ${besideOf(path)}` });
    return;
  }
  const { text, hasMarks } = mergeTexts(myText, oldText, theirText, name);
  const kind = kindOf(myEntry.kind, oldEntry?.kind, theirEntry.kind);
  writes.push({ path, entry: { kind, content: Buffer.from(text) } });
  if (hasMarks) conflicts.push({ path, words: `changed here and in ${name} at the same lines` });
}

const linesOf = ({ kind, content }: Entry): string | null => (kind === 'link' ? null : textOf(content));

const kindOf = (mine: EntryKind, base: EntryKind | undefined, theirs: EntryKind): EntryKind =>
  base === mine ? theirs : mine;

/** Nothing is written over that is no part of the script, such as a file that is ignored, or lies behind a link. */
async function refuseObstacles({ writes }: MergePlan, { folder, digests }: Tree): Promise<void> {
  for (const { path, entry } of writes) {
    if (entry === null) continue;
    const removed = (at: string): boolean => writes.some((one) => one.path === at && one.entry === null);
    const obstacle = (await obstacleTo(folder, path)) ?? path;
    const isThere = (await lstat(join(folder, obstacle)).catch(() => null)) !== null;
    if (isThere && !removed(obstacle) && !(obstacle === path && digests.has(path))) {
      throw new CommandFailure(
        `${obstacle} is in the way of ${path}, and is no part of the script here. Nothing was changed.`,
        'Move it away, and pull again.',
      );
    }
  }
}
