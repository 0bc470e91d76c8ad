import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readlink, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Gatehouse } from '@gatehouse/client';

import { unpackArchive } from '../../../archive/index.js';
import { readInside } from './read-inside.js';

/** What of a script's folder is another than in a version of it. */
interface FolderChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

/** @param version null: there is none yet */
export async function folderChanges(
  gatehouse: Gatehouse,
  slug: string,
  version: number | null,
  folder: string,
  paths: readonly string[],
): Promise<FolderChanges> {
  const before = version === null ? new Map<string, string>() : await contentOf(gatehouse, slug, version);
  const after = await hashes(folder, paths);
  const known = [...after.keys()].filter((path) => before.has(path));
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    changed: known.filter((path) => before.get(path) !== after.get(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
  };
}

async function contentOf(gatehouse: Gatehouse, slug: string, version: number): Promise<Map<string, string>> {
  const response = await gatehouse.versions.archive(slug, version);
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-version-'));
  try {
    const target = join(directory, 'folder');
    await unpackArchive(Buffer.from(await response.arrayBuffer()), target);
    const entries = await readdir(target, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1));
    return await hashes(target, paths.sort());
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function hashes(folder: string, paths: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const stat = await lstat(join(folder, path));
    const content = stat.isSymbolicLink()
      ? await readlink(join(folder, path))
      : await readInside(folder, path);
    const kind = stat.isSymbolicLink() ? 'link' : stat.mode & 0o111 ? 'program' : 'file';
    found.set(path, createHash('sha256').update(kind).update(content).digest('hex'));
  }
  return found;
}
