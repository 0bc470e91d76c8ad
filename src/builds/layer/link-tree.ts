import { chmod, link, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { removeTree } from '../../../libs/sandbox/index.js';

/**
 * Lays the folder `source` over the folder `target`, which then has the same files by hard links; both must be on one file system.
 * An entry at the top of `target` that has the name of one in `source` is removed first. Both were unpacked by this worker, below
 * folders that it made itself, and no box can write to them: a path of theirs leads nowhere else.
 */
export async function linkTree(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source)) await removeTree(join(target, entry));
  await linkFolder(source, target);
}

async function linkFolder(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) {
      await mkdir(to);
      await chmod(to, 0o755);
      await linkFolder(from, to);
    } else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else await link(from, to);
  }
}
