import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';

import { type Pack, pack } from 'tar-stream';

export interface PackedFolder {
  bytes: Buffer;
  /** In hex: the same for the same files. */
  sha256: string;
}

/** Packs files of a folder as a .tar.gz, the same way every time: without times and owners. */
export async function packFolder(folder: string, paths: readonly string[]): Promise<PackedFolder> {
  const tar = pack();
  const adding = addAll(tar, folder, paths);
  const [bytes] = await Promise.all([buffer(tar.pipe(createGzip())), adding]);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function addAll(tar: Pack, folder: string, paths: readonly string[]): Promise<void> {
  for (const name of paths) {
    const path = join(folder, name);
    const stat = await lstat(path);
    const header = { name, mtime: new Date(0), uid: 0, gid: 0, mode: stat.mode & 0o111 ? 0o755 : 0o644 };
    if (stat.isSymbolicLink()) {
      tar.entry({ ...header, type: 'symlink', linkname: await readlink(path), mode: 0o777 });
    } else {
      tar.entry(header, await readFile(path));
    }
  }
  tar.finalize();
}
