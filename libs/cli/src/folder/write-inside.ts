import { lstat, mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Entry } from './folder-tree.js';

const MODES = { file: 0o644, program: 0o755 } as const;

/**
 * Writes a file of a folder, whole or not at all. The folder may be a stranger's: no link in it leads the writing elsewhere, and
 * one at the path itself is taken away, not followed.
 *
 * @throws Error where something else than a folder is on the way
 */
export async function writeInside(folder: string, path: string, { kind, content }: Entry): Promise<void> {
  const root = await realpath(folder);
  await makeFolders(root, dirname(path));
  const target = join(root, path);
  const part = `${target}.${process.pid}.part`;
  await rm(part, { force: true });
  if (kind === 'link') await symlink(content, part);
  else await writeFile(part, content, { flag: 'wx', mode: MODES[kind] });
  await rename(part, target);
}

/** The same for taking one away. */
export async function removeInside(folder: string, path: string): Promise<void> {
  const root = await realpath(folder);
  if ((await obstacleTo(root, path)) === null) await rm(join(root, path), { force: true });
}

/** What of a path is something else than a folder, before its last name; null: nothing. */
export async function obstacleTo(folder: string, path: string): Promise<string | null> {
  const names = path.split('/').slice(0, -1);
  for (const at of names.map((_, place) => names.slice(0, place + 1).join('/'))) {
    const found = await lstat(join(folder, at)).catch(() => null);
    if (found === null) return null;
    if (!found.isDirectory()) return at;
  }
  return null;
}

async function makeFolders(root: string, path: string): Promise<void> {
  const obstacle = await obstacleTo(root, `${path}/x`);
  if (obstacle !== null) throw new Error(`${obstacle}: it is no folder`);
  await mkdir(join(root, path), { recursive: true });
}
