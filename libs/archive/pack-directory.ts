import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { addEntry, type PackedEntry } from './add-entry.js';

interface PackedDirectory {
  /** Size of the .tar.gz file. */
  bytes: number;
  /** Of the .tar.gz file, in hex. */
  sha256: string;
}

/**
 * Packs a folder as .tar.gz the same way every time: sorted, without times and owners, modes 0755 and 0644, links as links.
 * The result goes to `sink` where one is given; it is counted and hashed in any case, without holding it in memory.
 *
 * @throws Error for something that is no file, folder or link
 */
export async function packDirectory(dir: string, sink?: NodeJS.WritableStream): Promise<PackedDirectory> {
  const tar = pack();
  const hash = createHash('sha256');
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const failure: { error?: unknown } = {};
  const adding = addFolder(tar, dir, '').then(
    () => tar.finalize(),
    (error: Error) => {
      failure.error = error;
      tar.destroy(error);
    },
  );
  try {
    await pipeline(tar, createGzip(), count, sink ?? nowhere);
    await adding;
  } catch (error) {
    // When reading fails, the pipeline only sees its source end too early.
    throw failure.error ?? error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function addFolder(tar: Pack, dir: string, prefix: string): Promise<void> {
  for (const name of (await readdir(join(dir, prefix))).sort()) {
    const path = prefix + name;
    const entry = await entryAt(dir, path);
    await addEntry(tar, entry, () => createReadStream(join(dir, path)));
    if (entry.kind === 'directory') await addFolder(tar, dir, `${path}/`);
  }
}

async function entryAt(dir: string, path: string): Promise<PackedEntry> {
  const place = join(dir, path);
  const stat = await lstat(place);
  if (stat.isDirectory()) return { kind: 'directory', path };
  if (stat.isSymbolicLink()) return { kind: 'symlink', path, target: await readlink(place) };
  if (stat.isFile()) return { kind: 'file', path, size: stat.size, executable: (stat.mode & 0o111) !== 0 };
  throw new Error(`${place} is no file, folder or link`);
}
