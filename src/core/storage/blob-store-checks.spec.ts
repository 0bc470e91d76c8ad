import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import type { BlobStorageProvider } from './blob-storage.js';
import { blobStoreChecks } from './blob-store-checks.js';
import { MemoryStorage } from './memory-storage.fixture.js';
import { ProvidedBlobStore } from './provided-blob-store.js';

/** Which checks find fault with it. */
async function failuresOf(methods: Partial<BlobStorageProvider>): Promise<string[]> {
  const storage = new MemoryStorage();
  const store = new ProvidedBlobStore('memory', { callMs: 1000, stalledMs: 1000 });
  store.use(Object.assign(storage, methods));
  const failed: string[] = [];
  for (const { name, run } of blobStoreChecks({
    store: () => store,
    kept: async () => [...storage.blobs.keys()],
  })) {
    await run().catch(() => failed.push(name));
  }
  return failed;
}

describe('the checks of stores', () => {
  it('find no fault with a sound one', async () => {
    expect(await failuresOf({})).toEqual([]);
  });

  it.each<[string, Partial<BlobStorageProvider>, string]>([
    [
      'keeps what arrived before a failure',
      { write: keepsHalves },
      'gives up when the stream of a client is cut',
    ],
    ['gives all bytes for a range', { read: withoutRanges }, 'reads ranges as HTTP means them'],
    ['takes a missing blob for an empty one', { size: zeroForMissing }, 'says which blob is missing'],
    ['takes no empty blob', { write: nothingForEmpty }, 'stores no bytes at all as an empty blob'],
    ['deletes nothing', { delete: async () => undefined }, 'deletes, and takes what is gone as deleted'],
    [
      'gives what is deleted as missing twice',
      { delete: failsForMissing },
      'deletes, and takes what is gone as deleted',
    ],
    ['appends', { write: appends }, 'replaces a blob whole'],
    ['mixes up keys', { write: flattens }, 'keeps keys apart that differ little'],
  ])('find one that %s', async (_, methods, check) => {
    expect(await failuresOf(methods)).toContain(check);
  });
});

async function keepsHalves(this: MemoryStorage, key: string, bytes: Readable): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) {
    chunks.push(chunk as Buffer);
    this.blobs.set(key, Buffer.concat(chunks));
  }
}

async function nothingForEmpty(this: MemoryStorage, key: string, bytes: Readable): Promise<void> {
  const all = await buffer(bytes);
  if (all.length > 0) this.blobs.set(key, all);
}

async function appends(this: MemoryStorage, key: string, bytes: Readable): Promise<void> {
  const earlier = this.blobs.get(key) ?? Buffer.alloc(0);
  this.blobs.set(key, Buffer.concat([earlier, await buffer(bytes)]));
}

async function flattens(this: MemoryStorage, key: string, bytes: Readable): Promise<void> {
  const all = await buffer(bytes);
  for (const same of [key.replace('files-', 'files/'), key]) this.blobs.set(same, all);
}

async function withoutRanges(this: MemoryStorage, key: string): Promise<AsyncIterable<Uint8Array> | null> {
  return MemoryStorage.prototype.read.call(this, key, { range: null });
}

async function zeroForMissing(this: MemoryStorage, key: string): Promise<number> {
  return this.blobs.get(key)?.length ?? 0;
}

async function failsForMissing(this: MemoryStorage, key: string): Promise<void> {
  if (!this.blobs.delete(key)) throw new Error('There is none.');
}
