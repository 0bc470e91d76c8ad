import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Unavailable } from '../errors/index.js';
import type { BlobStorageProvider } from './blob-storage.js';
import { MemoryStorage } from './memory-storage.fixture.js';
import { ProvidedBlobStore } from './provided-blob-store.js';
import { BlobMissing, StorageUnavailable } from './storage.errors.js';

const KEY = 'files/one';
const ROOM = { maxBytes: 1000 };
const ADDRESS = 'https://storage.example/T0p-s3cret';
const never = (): Promise<never> => new Promise(() => undefined);

describe('a store that an extension provides', () => {
  const logged: string[] = [];
  let storage: MemoryStorage;

  beforeEach(() => {
    logged.length = 0;
    storage = new MemoryStorage();
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void logged.push(String(text)));
  });

  afterEach(() => vi.restoreAllMocks());

  /** The storage with some methods of its own. */
  function storeWith(methods: Partial<BlobStorageProvider> = {}): ProvidedBlobStore {
    const store = new ProvidedBlobStore('acme', { callMs: 500, stalledMs: 500 });
    store.use(Object.assign(storage, methods));
    return store;
  }
  const put = (
    store: ProvidedBlobStore,
    source: AsyncIterable<Uint8Array> = Readable.from([Buffer.from('x')]),
  ) => store.write(KEY, source, ROOM);

  it('says the words of an error that is written to be read, and of any other nothing', async () => {
    const readable = storeWith({ size: () => Promise.reject(new Unavailable('Acme is being moved.')) });
    await expect(readable.size(KEY)).rejects.toMatchObject({
      name: 'StorageUnavailable',
      passing: true,
      message: 'The blob storage acme cannot be used just now. Acme is being moved.',
    });
    const other = storeWith({ size: () => Promise.reject(new Error(ADDRESS)) });
    await expect(other.size(KEY)).rejects.toThrow(
      'The blob storage acme cannot be used just now. It failed, and the service has logged where.',
    );
    expect(logged[1]).toMatch(/^The blob storage acme could not say a size: Error at .*\.spec\.ts:\d+:\d+$/);
    expect(logged.join()).not.toContain('s3cret');
  });

  it.each<[string, Partial<BlobStorageProvider>, (store: ProvidedBlobStore) => Promise<unknown>]>([
    ['ready', { ready: () => Promise.reject(new Error('no')) }, (store) => store.ready()],
    ['write', { write: () => Promise.reject(new Error('no')) }, (store) => put(store)],
    ['read', { read: () => Promise.reject(new Error('no')) }, (store) => store.read(KEY)],
    ['delete', { delete: () => Promise.reject(new Error('no')) }, (store) => store.delete([KEY])],
    ['give a size', { size: async () => Number.NaN }, (store) => store.size(KEY)],
    ['give bytes', { read: async () => undefined as never }, (store) => store.read(KEY)],
    ['be called', { size: never }, (store) => store.size(KEY)],
    ['take bytes', { write: never }, (store) => put(store)],
  ])('fails in one way where it does not %s', async (_, methods, act) => {
    await expect(act(storeWith(methods))).rejects.toThrow(StorageUnavailable);
  });

  it('does not start where it cannot be opened', async () => {
    const store = storeWith({ open: () => Promise.reject(new Unavailable('Set EXTENSION_ACME_URL.')) });
    await expect(store.open()).rejects.toThrow(
      'The blob storage acme cannot be opened: Set EXTENSION_ACME_URL.',
    );
  });

  it('takes nothing for stored that was not taken whole', async () => {
    const store = storeWith({ write: async () => undefined });
    await expect(put(store)).rejects.toThrow(StorageUnavailable);
    expect(logged).toEqual([expect.stringContaining('RangeError')]);
  });

  it('throws the error of the source, though the storage took no notice', async () => {
    const store = storeWith({ write: (_, bytes) => void bytes.resume() as never });
    async function* failing() {
      yield Buffer.from('x');
      throw new Error('the client went away');
    }
    await expect(put(store, failing())).rejects.toThrow();
    const deaf = storeWith({ write: async (_, bytes) => void (await buffer(bytes).catch(() => undefined)) });
    await expect(put(deaf, failing())).rejects.toThrow('the client went away');
  });

  it('waits for a slow source, however long it takes', async () => {
    async function* slow() {
      for (let chunk = 0; chunk < 3; chunk++) {
        await sleep(600);
        yield Buffer.from('x');
      }
    }
    expect(await put(storeWith(), slow())).toMatchObject({ size: 3 });
    expect(await storage.size(KEY)).toBe(3);
  });

  it('breaks off a read that hangs, and one that gives other bytes than were asked for', async () => {
    storage.blobs.set(KEY, Buffer.from('0123456789'));
    async function* hanging() {
      yield Buffer.from('0');
      await never();
    }
    const read = async (give: () => AsyncIterable<Uint8Array>, range = {}) =>
      buffer(await storeWith({ read: async () => give() }).read(KEY, range));
    await expect(read(hanging)).rejects.toThrow(StorageUnavailable);
    for (const given of ['0123456789', '0', '']) {
      await expect(read(() => Readable.from([Buffer.from(given)]), { end: 4 })).rejects.toThrow(
        StorageUnavailable,
      );
    }
    const split = ['', '01', '', '234'].map((text) => Buffer.from(text));
    expect((await read(() => Readable.from(split), { end: 4 })).toString()).toBe('01234');
  });

  it('lets go of what the storage gives when nobody reads on, though a chunk is waited for', async () => {
    const source = new Readable({ read: () => undefined });
    const stream = await storeWith({ read: async () => source }).read(KEY);
    stream.resume();
    stream.destroy();
    expect(source.destroyed).toBe(true);
  });

  it('asks for ranges that lie within the blob', async () => {
    storage.blobs.set(KEY, Buffer.from('0123456789'));
    const asked: unknown[] = [];
    const store = storeWith({
      read: async (key, call) => {
        asked.push(call.range);
        return MemoryStorage.prototype.read.call(storage, key, call);
      },
    });
    for (const range of [{}, { start: 0 }, { start: 8, end: 100 }, { end: 2 }])
      await buffer(await store.read(KEY, range));
    expect(asked).toEqual([null, null, { start: 8, end: 9 }, { start: 0, end: 2 }]);
    await expect(store.read('files/none', { start: 1 })).rejects.toThrow(BlobMissing);
  });
});
