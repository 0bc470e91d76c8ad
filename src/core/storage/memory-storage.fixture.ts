import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { BlobStorage, type BlobStorageProvider, type BlobRange } from './blob-storage.js';

/** As short as a storage can be. */
@BlobStorage('memory')
export class MemoryStorage implements BlobStorageProvider {
  readonly blobs = new Map<string, Buffer>();

  async ready(): Promise<void> {}

  async write(key: string, bytes: Readable): Promise<void> {
    this.blobs.set(key, await buffer(bytes));
  }

  async read(key: string, { range }: { range: BlobRange | null }): Promise<AsyncIterable<Uint8Array> | null> {
    const blob = this.blobs.get(key);
    if (!blob) return null;
    return chunksOf(range ? blob.subarray(range.start, range.end + 1) : blob);
  }

  async size(key: string): Promise<number | null> {
    return this.blobs.get(key)?.length ?? null;
  }

  async delete(key: string): Promise<void> {
    this.blobs.delete(key);
  }
}

async function* chunksOf(blob: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.length; at += 65_536) yield blob.subarray(at, at + 65_536);
}
