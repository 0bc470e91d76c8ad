import { randomUUID } from 'node:crypto';
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { takeBack } from './box-users.js';
import { HeldDirectory } from './held-directory.js';

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** Another worker may be removing the same tree. */
async function unlessGone<T>(action: Promise<T>): Promise<T | null> {
  try {
    return await action;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function within(
  directory: HeldDirectory,
  name: Buffer,
  action: (child: HeldDirectory) => Promise<void>,
): Promise<void> {
  const child = await unlessGone(directory.directory(name));
  if (!child) return;
  try {
    await action(child);
  } finally {
    await child.close();
  }
}

/** Removes what a directory contains but other directories. @returns the names of those, opened for their owner. */
async function emptyOfFiles(directory: HeldDirectory): Promise<Buffer[]> {
  await directory.chmod(0o700);
  const entries = await directory.entries();
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const others = entries.filter((entry) => !entry.isDirectory());
  await Promise.all(others.map(({ name }) => unlessGone(directory.unlink(name))));
  for (const name of inner) {
    // To move a directory its owner must be allowed to write to it.
    await within(directory, name, (child) => child.chmod(0o700));
  }
  return inner;
}

/** What a box of another user left is made ours first, a part at a time where it lies deep. */
async function takeAndEmpty(root: HeldDirectory, directory: string): Promise<void> {
  for (;;) {
    try {
      return await empty(root);
    } catch (error) {
      if (!hasCode(error, 'EPERM', 'EACCES') || (await takeBack(directory)) !== 'taken') throw error;
    }
  }
}

/** What is nested is moved up to the root before it is looked at, so that no depth is too much. */
async function empty(root: HeldDirectory): Promise<void> {
  for (let children = await emptyOfFiles(root); children.length > 0; children = await emptyOfFiles(root)) {
    for (const name of children) {
      await within(root, name, async (child) => {
        for (const inner of await emptyOfFiles(child))
          await unlessGone(child.moveTo(root, inner, randomUUID()));
      });
      await unlessGone(root.removeDirectory(name));
    }
  }
}

/**
 * Removes a directory in which a box could write, or what is left of one: also where it lies deeper than any path is long, or has
 * taken all permissions away. No link is followed, at the root or anywhere below: where a link or a file took the directory's place,
 * that is what is removed. Should something of the box still write to it, this may fail, but touches nothing else.
 *
 * @param directory whose own folder nobody else can rename or replace.
 */
export async function removeTree(directory: string): Promise<void> {
  let root: HeldDirectory | null;
  try {
    root = await unlessGone(HeldDirectory.open(directory));
  } catch (error) {
    if (!hasCode(error, 'ENOTDIR', 'ELOOP')) throw error;
    await unlessGone(unlink(directory));
    return;
  }
  if (!root) return;
  try {
    await takeAndEmpty(root, directory);
  } finally {
    await root.close();
  }
  await unlessGone(rmdir(directory));
}

/** @returns with an empty directory in the place of whatever was there. */
export async function emptyTree(directory: string): Promise<void> {
  await removeTree(directory);
  await mkdir(directory, { recursive: true, mode: 0o755 });
}
