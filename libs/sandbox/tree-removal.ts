import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';

const inside = (directory: Buffer, name: Buffer | string): Buffer =>
  Buffer.concat([directory, Buffer.from('/'), Buffer.from(name)]);

/** Removes what a directory contains but other directories. @returns those, opened for their owner. */
async function emptyOfFiles(directory: Buffer): Promise<Buffer[]> {
  await chmod(directory, 0o700);
  const entries = await readdir(directory, { withFileTypes: true, encoding: 'buffer' });
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => inside(directory, name));
  const others = entries.filter((entry) => !entry.isDirectory());
  await Promise.all(others.map(({ name }) => unlink(inside(directory, name))));
  // To move a directory its owner must be allowed to write to it.
  await Promise.all(inner.map((path) => chmod(path, 0o700)));
  return inner;
}

/**
 * Removes a directory in which a box could write, or what is left of one: also where it lies deeper than any path is
 * long, or has taken all permissions away. No link is followed. Nobody may write to it any more.
 */
export async function removeTree(directory: string): Promise<void> {
  const root = Buffer.from(directory);
  try {
    for (let children = await emptyOfFiles(root); children.length > 0; children = await emptyOfFiles(root)) {
      for (const child of children) {
        // Moved up to the top, so that no path ever becomes long.
        for (const path of await emptyOfFiles(child)) await rename(path, inside(root, randomUUID()));
        await rmdir(child);
      }
    }
    await rmdir(root);
  } catch (error) {
    const isGone =
      (error as NodeJS.ErrnoException).code === 'ENOENT' &&
      (error as NodeJS.ErrnoException).path === directory;
    if (!isGone) throw error;
  }
}

/** @returns with an empty directory in the place of whatever was there. */
export async function emptyTree(directory: string): Promise<void> {
  await removeTree(directory);
  await mkdir(directory, { recursive: true, mode: 0o755 });
}
