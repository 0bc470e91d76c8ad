import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBlobStore } from './blob-store.factory.js';
import type { BlobStore } from './blob-store.js';
import { startBucket } from './s3-server.fixture.js';
import type { TestBucket } from './s3-server.fixture.js';
import { BlobMissing, BlobRangeUnsatisfiable, BlobTooLarge } from './storage.errors.js';

const MIB = 1024 * 1024;
const ROOM = { maxBytes: 64 * MIB };

/** What every store has to keep, on each that is shipped. */
describe.each(['file', 's3'] as const)('the %s store', (kind) => {
  let directory: string;
  let bucket: TestBucket | undefined;
  let store: BlobStore;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-blobs-'));
    bucket = kind === 's3' ? await startBucket() : undefined;
    store = await createBlobStore(
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

  /** Everything that is kept, unfinished writes included. */
  async function everything(): Promise<string[]> {
    if (bucket) return [...(await bucket.keys()), ...(await bucket.unfinishedUploads())];
    const entries = await readdir(join(directory, 'blobs'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  it('is ready', async () => {
    await expect(store.ready()).resolves.toBeUndefined();
  });

  it('gives back what was written, with its size and SHA-256', async () => {
    const bytes = randomBytes(17 * MIB + 5);
    const key = newKey();
    const chunks = Readable.from([bytes.subarray(0, 3), bytes.subarray(3, 9 * MIB), bytes.subarray(9 * MIB)]);
    const stored = await store.write(key, chunks, ROOM);
    expect(stored).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect((await get(key)).equals(bytes)).toBe(true);
    expect(await store.size(key)).toBe(bytes.length);
  });

  it('stores no bytes at all as an empty blob', async () => {
    const key = newKey();
    expect((await store.write(key, Readable.from([]), ROOM)).size).toBe(0);
    expect((await get(key)).length).toBe(0);
    expect(await store.size(key)).toBe(0);
  });

  it('takes any async iterable of bytes', async () => {
    const key = newKey();
    async function* bytes() {
      yield new Uint8Array([104, 101]);
      yield new Uint8Array([121]);
    }
    await store.write(key, bytes(), ROOM);
    expect((await get(key)).toString()).toBe('hey');
  });

  it('reads ranges as HTTP means them', async () => {
    const key = newKey();
    await put(key, '0123456789');
    expect((await get(key, { start: 2, end: 4 })).toString()).toBe('234');
    expect((await get(key, { start: 7 })).toString()).toBe('789');
    expect((await get(key, { end: 1 })).toString()).toBe('01');
    expect((await get(key, { start: 8, end: 100 })).toString()).toBe('89');
    await expect(store.read(key, { start: 10 })).rejects.toThrow(BlobRangeUnsatisfiable);
    await expect(store.read(key, { start: 3, end: 2 })).rejects.toThrow(TypeError);
  });

  it('says which blob is missing', async () => {
    const key = newKey();
    await expect(store.read(key)).rejects.toMatchObject({ name: 'BlobMissing', key });
    await expect(store.size(key)).rejects.toThrow(BlobMissing);
    await expect(store.copyToFile(key, join(directory, 'none'))).rejects.toThrow(BlobMissing);
    await expect(stat(join(directory, 'none'))).rejects.toThrow('ENOENT');
  });

  it('replaces a blob whole', async () => {
    const key = newKey();
    await put(key, 'a longer first one');
    await put(key, 'second');
    expect((await get(key)).toString()).toBe('second');
  });

  it.each([
    ['within the first part', 10, 9],
    ['after several parts', 13 * MIB, 12 * MIB],
  ])('refuses what is too large and leaves nothing behind: %s', async (_, size, maxBytes) => {
    const before = await everything();
    const source = Readable.from([randomBytes(size - 1), randomBytes(1)]);
    await expect(store.write(newKey(), source, { maxBytes })).rejects.toThrow(BlobTooLarge);
    await expect(store.writeContent(randomBytes(size), { maxBytes })).rejects.toThrow(BlobTooLarge);
    await expect(store.writeContent(Readable.from([randomBytes(size)]), { maxBytes })).rejects.toThrow(
      BlobTooLarge,
    );
    expect(source.destroyed).toBe(true);
    expect(await everything()).toEqual(before);
  });

  it('takes exactly the limit', async () => {
    expect((await store.write(newKey(), Readable.from([randomBytes(9)]), { maxBytes: 9 })).size).toBe(9);
  });

  it.each([
    ['at once', 0],
    ['after several parts', 13],
  ])('keeps the old bytes and throws the error of a source that fails %s', async (_, chunks) => {
    const key = newKey();
    await put(key, 'old');
    const before = await everything();
    async function* failing() {
      for (let at = 0; at < chunks; at++) yield Buffer.alloc(MIB, at);
      throw new Error('the client went away');
    }
    await expect(store.write(key, failing(), ROOM)).rejects.toThrow('the client went away');
    await expect(store.writeContent(failing(), ROOM)).rejects.toThrow('the client went away');
    expect((await get(key)).toString()).toBe('old');
    expect(await everything()).toEqual(before);
  });

  it('gives up when the stream of a client is cut', async () => {
    const before = await everything();
    const source = new PassThrough();
    const written = store.write(newKey(), source, ROOM);
    source.write('half');
    setTimeout(() => source.destroy(), 20);
    await expect(written).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(await everything()).toEqual(before);
  });

  it('deletes, and takes what is gone as deleted', async () => {
    const keys = [newKey(), newKey()];
    for (const key of keys) await put(key, 'x');
    await store.delete([...keys, newKey()]);
    await store.delete(keys);
    await store.delete([]);
    for (const key of keys) await expect(store.size(key)).rejects.toThrow(BlobMissing);
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

  it('stores content once, whether it comes as a buffer or a stream', async () => {
    const bytes = randomBytes(6 * MIB);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const expected = { key: `content/${sha256}`, size: bytes.length, sha256 };
    expect(await store.writeContent(Readable.from([bytes]), ROOM)).toEqual(expected);
    const before = await everything();
    expect(await store.writeContent(bytes, ROOM)).toEqual(expected);
    expect(await store.writeContent(Readable.from([bytes]), ROOM)).toEqual(expected);
    expect(await everything()).toEqual(before);
    expect((await get(expected.key)).equals(bytes)).toBe(true);
  });

  it('writes content again where the stored bytes were cut', async () => {
    const bytes = randomBytes(100);
    const { key } = await store.writeContent(bytes, ROOM);
    await put(key, bytes.subarray(0, 50));
    await store.writeContent(bytes, ROOM);
    expect((await get(key)).equals(bytes)).toBe(true);
  });

  it('keeps one whole blob when several write the same content at once', async () => {
    const bytes = randomBytes(MIB);
    const stored = await Promise.all(
      [1, 2, 3, 4].map(() => store.writeContent(Readable.from([bytes]), ROOM)),
    );
    expect(new Set(stored.map(({ key }) => key)).size).toBe(1);
    expect((await get(stored[0]!.key)).equals(bytes)).toBe(true);
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
