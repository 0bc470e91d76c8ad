import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';

type EntryHeader = Parameters<Pack['entry']>[0];

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
  for (const name of (await readdir(dir)).sort()) {
    const path = join(dir, name);
    const stat = await lstat(path);
    const header = {
      name: prefix + name,
      mtime: new Date(0),
      uid: 0,
      gid: 0,
      mode: stat.mode & 0o111 ? 0o755 : 0o644,
    };
    if (stat.isDirectory()) {
      await addEntry(tar, { ...header, name: `${header.name}/`, type: 'directory', mode: 0o755 });
      await addFolder(tar, path, `${header.name}/`);
    } else if (stat.isSymbolicLink()) {
      await addEntry(tar, { ...header, type: 'symlink', linkname: await readlink(path), mode: 0o777 });
    } else if (stat.isFile()) {
      await addFile(tar, { ...header, type: 'file', size: stat.size }, path);
    } else throw new Error(`${path} is no file, folder or link`);
  }
}

function addEntry(tar: Pack, header: EntryHeader): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry(header, '', (error) => (error ? reject(error) : resolve()));
  });
}

async function addFile(tar: Pack, header: EntryHeader, path: string): Promise<void> {
  if (header.size === 0) return addEntry(tar, header);
  await pipeline(createReadStream(path), tar.entry(header));
}
