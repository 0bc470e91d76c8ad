import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';

import { type Pack, pack } from 'tar-stream';

import { MAX_ARCHIVE_BYTES, MAX_ENTRIES, MAX_UNPACKED_BYTES } from '../../../archive/index.js';
import { WrongUse } from '../failure/command-failure.js';
import { readInside } from './read-inside.js';

interface PackedFolder {
  bytes: Buffer;
  /** In hex: the same for the same files. */
  sha256: string;
}

const MEGABYTE = 1024 * 1024;

/**
 * Packs files of a folder as a .tar.gz, the same way every time: without times and owners.
 *
 * @throws WrongUse before anything is read where it is more than a script may have
 */
export async function packFolder(folder: string, paths: readonly string[]): Promise<PackedFolder> {
  const sizes = await sizesOf(folder, paths);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (paths.length > MAX_ENTRIES) {
    throw tooLarge(folder, `${paths.length} files, which is more than ${MAX_ENTRIES}`, sizes);
  }
  if (total > MAX_UNPACKED_BYTES) {
    throw tooLarge(
      folder,
      `${inMegabytes(total)}, which is more than ${inMegabytes(MAX_UNPACKED_BYTES)}`,
      sizes,
    );
  }
  const tar = pack();
  const adding = addAll(tar, folder, paths);
  const [bytes] = await Promise.all([buffer(tar.pipe(createGzip())), adding]);
  if (bytes.length > MAX_ARCHIVE_BYTES) {
    const packed = `${inMegabytes(bytes.length)} packed, which is more than ${inMegabytes(MAX_ARCHIVE_BYTES)}`;
    throw tooLarge(folder, packed, sizes);
  }
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

interface SizedFile {
  path: string;
  bytes: number;
}

async function sizesOf(folder: string, paths: readonly string[]): Promise<SizedFile[]> {
  const sizes: SizedFile[] = [];
  for (const path of paths) sizes.push({ path, bytes: (await lstat(join(folder, path))).size });
  return sizes;
}

function tooLarge(folder: string, what: string, sizes: SizedFile[]): WrongUse {
  const largest = sizes.sort((one, other) => other.bytes - one.bytes).slice(0, 3);
  const names = largest.map(({ path, bytes }) => `${path} (${inMegabytes(bytes)})`).join(', ');
  return new WrongUse(
    `${folder} has ${what}. The largest: ${names}.`,
    'Leave out what the script does not need: name it under `ignore` in gatehouse.yaml.',
  );
}

const inMegabytes = (bytes: number): string => `${Math.ceil((bytes / MEGABYTE) * 10) / 10} MB`;

async function addAll(tar: Pack, folder: string, paths: readonly string[]): Promise<void> {
  for (const name of paths) {
    const path = join(folder, name);
    const stat = await lstat(path);
    const header = { name, mtime: new Date(0), uid: 0, gid: 0, mode: stat.mode & 0o111 ? 0o755 : 0o644 };
    if (stat.isSymbolicLink()) {
      tar.entry({ ...header, type: 'symlink', linkname: await readlink(path), mode: 0o777 });
    } else {
      tar.entry(header, await readInside(folder, name));
    }
  }
  tar.finalize();
}
