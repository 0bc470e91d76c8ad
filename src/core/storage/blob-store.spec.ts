import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBlobStore } from './blob-store.factory.js';
import { blobStoreChecks } from './blob-store-checks.js';
import type { BlobStore } from './blob-store.js';
import { MemoryStorage } from './memory-storage.fixture.js';
import { ProvidedBlobStore } from './provided-blob-store.js';
import { startBucket } from './s3-server.fixture.js';
import type { TestBucket } from './s3-server.fixture.js';
import { BlobMissing, BlobTooLarge } from './storage.errors.js';

const MIB = 1024 * 1024;
const ROOM = { maxBytes: 64 * MIB };

/** What every store has to keep, on each that there is. */
describe.each(['file', 's3', 'extension'] as const)('the %s store', (kind) => {
  const memory = new MemoryStorage();
  let directory: string;
  let bucket: TestBucket | undefined;
  let store: BlobStore;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-blobs-'));
    bucket = kind === 's3' ? await startBucket() : undefined;
    store =
      kind === 'extension'
        ? new ProvidedBlobStore('memory')
        : await createBlobStore(
            bucket
              ? {
                  kind: 's3',
                  bucket: bucket.bucket,
                  prefix: 'blobs',
                  endpoint: bucket.endpoint,
                  region: 'us-east-1',
                }
              : { kind: 'file', directory: join(directory, 'blobs') },
          );
    if (store instanceof ProvidedBlobStore) store.use(memory);
    await store.open();
  });

  afterAll(async () => {
    await store.close();
    await bucket?.stop();
    await rm(directory, { recursive: true });
  });

  const newKey = () => `files/${randomUUID()}`;
  const put = (key: string, bytes: Uint8Array | string) =>
    store.write(key, Readable.from([Buffer.from(bytes)]), ROOM);
  const get = async (key: string, range = {}) => buffer(await store.read(key, range));

  const kept = async (): Promise<string[]> => {
    if (bucket) return [...(await bucket.keys()), ...(await bucket.unfinishedUploads())];
    if (kind === 'extension') return [...memory.blobs.keys()];
    const entries = await readdir(join(directory, 'blobs'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };

  for (const { name, run } of blobStoreChecks({ store: () => store, kept })) it(name, run);

  it('takes any async iterable of bytes', async () => {
    const key = newKey();
    async function* bytes() {
      yield new Uint8Array([104, 101]);
      yield new Uint8Array([121]);
    }
    await store.write(key, bytes(), ROOM);
    expect((await get(key)).toString()).toBe('hey');
  });

  it('makes no file of a blob that is missing', async () => {
    await expect(store.copyToFile(newKey(), join(directory, 'none'))).rejects.toThrow(BlobMissing);
    await expect(stat(join(directory, 'none'))).rejects.toThrow('ENOENT');
  });

  it('refuses what is no range', async () => {
    const key = newKey();
    await put(key, '0123456789');
    await expect(store.read(key, { start: 3, end: 2 })).rejects.toThrow(TypeError);
  });

  it('refuses a buffer that is too large', async () => {
    await expect(store.writeContent(randomBytes(10), { maxBytes: 9 })).rejects.toThrow(BlobTooLarge);
  });

  it('takes exactly the limit', async () => {
    expect((await store.write(newKey(), Readable.from([randomBytes(9)]), { maxBytes: 9 })).size).toBe(9);
  });

  it('refuses keys that we did not make', async () => {
    for (const key of ['../up', '/root', 'a//b', 'a/', 'A', 'a.b', 'a\0', '', 'é', 'a'.repeat(201)]) {
      await expect(put(key, 'x')).rejects.toThrow('Not a storage key');
      await expect(store.read(key)).rejects.toThrow('Not a storage key');
      await expect(store.size(key)).rejects.toThrow('Not a storage key');
      await expect(store.delete([key])).rejects.toThrow('Not a storage key');
      await expect(store.copyToFile(key, join(directory, 'never'))).rejects.toThrow('Not a storage key');
    }
  });

  it('writes content again where the stored bytes were cut', async () => {
    const bytes = randomBytes(100);
    const { key } = await store.writeContent(bytes, ROOM);
    await put(key, bytes.subarray(0, 50));
    await store.writeContent(bytes, ROOM);
    expect((await get(key)).equals(bytes)).toBe(true);
  });

  it('copies to a new file with the mode that is asked for, and to no other', async () => {
    const key = newKey();
    await put(key, 'copied');
    const [plain, open, taken, link] = ['plain', 'open', 'taken', 'link'].map((name) =>
      join(directory, name),
    );
    await store.copyToFile(key, plain!);
    await store.copyToFile(key, open!, 0o444);
    expect(await readFile(plain!, 'utf8')).toBe('copied');
    expect((await stat(plain!)).mode & 0o777).toBe(0o600);
    expect((await stat(open!)).mode & 0o777).toBe(0o444);

    await writeFile(taken!, 'mine');
    await symlink(taken!, link!);
    await expect(store.copyToFile(key, taken!)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(store.copyToFile(key, link!)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(taken!, 'utf8')).toBe('mine');
  });
});
