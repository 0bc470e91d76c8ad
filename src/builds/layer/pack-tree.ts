import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { pack, type Pack } from 'tar-stream';

import { addEntry, type PackedEntry } from '../../../libs/archive/index.js';
import { TreeReader } from './tree-reader.js';

/** Packing is waited for; smaller blobs are not worth seconds. */
const GZIP_LEVEL = 3;

/** The entries of the folder `root` as a .tar.gz, the same bytes for the same content. It fails with the error of what could not be read: a link that has taken the place of an entry is none. */
export function packTree(root: string, entries: readonly PackedEntry[]): Readable {
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

async function addAll(tar: Pack, reader: TreeReader, entries: readonly PackedEntry[]): Promise<void> {
  try {
    const open = async (path: string) => (await reader.file(path)).createReadStream();
    for (const entry of entries) await addEntry(tar, entry, open);
  } finally {
    await reader.close();
  }
}
