import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { pack, type Pack } from 'tar-stream';

import type { TreeEntry } from './scan-tree.js';
import { TreeReader } from './tree-reader.js';

type Header = Parameters<Pack['entry']>[0];

/** Packing is waited for; smaller blobs are not worth seconds. */
const GZIP_LEVEL = 3;

/** The entries of the folder `root` as a .tar.gz, the same bytes for the same content. It fails with the error of what could not be read: a link that has taken the place of an entry is none. */
export function packTree(root: string, entries: readonly TreeEntry[]): Readable {
  const tar = pack();
  const out = new PassThrough();
  const zipping = pipeline(tar, createGzip({ level: GZIP_LEVEL }), out);
  addAll(tar, new TreeReader(root), entries)
    .then(() => tar.finalize())
    .catch((error: Error) => {
      out.destroy(error);
      tar.destroy(error);
    });
  zipping.catch((error: Error) => out.destroy(error));
  return out;
}

async function addAll(tar: Pack, reader: TreeReader, entries: readonly TreeEntry[]): Promise<void> {
  try {
    for (const entry of entries) await add(tar, reader, entry);
  } finally {
    await reader.close();
  }
}

async function add(tar: Pack, reader: TreeReader, entry: TreeEntry): Promise<void> {
  const header = { name: entry.path, mtime: new Date(0), uid: 0, gid: 0 };
  if (entry.kind === 'directory')
    await addEmpty(tar, { ...header, name: `${entry.path}/`, type: 'directory', mode: 0o755 });
  else if (entry.kind === 'symlink')
    await addEmpty(tar, { ...header, type: 'symlink', linkname: entry.target, mode: 0o777 });
  else {
    const file: Header = {
      ...header,
      type: 'file',
      mode: entry.executable ? 0o755 : 0o644,
      size: entry.size,
    };
    if (entry.size === 0) await addEmpty(tar, file);
    else await pipeline((await reader.file(entry.path)).createReadStream(), tar.entry(file));
  }
}

function addEmpty(tar: Pack, header: Header): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry(header, '', (error) => (error ? reject(error) : resolve()));
  });
}
