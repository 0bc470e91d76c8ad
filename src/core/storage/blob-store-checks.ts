import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { BlobStore } from './blob-store.js';
import type { ByteRange } from './byte-range.js';
import { BlobMissing, BlobRangeUnsatisfiable, BlobTooLarge } from './storage.errors.js';

/** One thing that holds. Any test framework can run it: `it(name, run)`. */
export interface BlobStoreCheck {
  name: string;
  /** Rejects, and says why, where it does not hold. */
  run(): Promise<void>;
}

interface CheckedBlobStore {
  /** Opened. It is asked for anew by each check. */
  store: () => BlobStore;
  /** All that is kept, by names of any kind and in any order, unfinished writes included. Without it, keys alone are looked at. */
  kept?: (() => Promise<readonly string[]>) | undefined;
}

const MIB = 1024 * 1024;
const ROOM = { maxBytes: 64 * MIB };

/** What every store has to keep, the shipped ones and those of extensions. */
export function blobStoreChecks({ store: opened, kept }: CheckedBlobStore): BlobStoreCheck[] {
  const newKey = (): string => `files/${randomUUID()}`;
  const put = (key: string, bytes: Uint8Array | string) =>
    opened().write(key, Readable.from([Buffer.from(bytes)]), ROOM);
  const get = async (key: string, range?: ByteRange) => buffer(await opened().read(key, range));
  const text = async (key: string, range?: ByteRange) => (await get(key, range)).toString();
  const everything = async () => [...((await kept?.()) ?? [])].sort();

  async function leavesNothing(key: string, write: () => Promise<unknown>, fails: object): Promise<void> {
    const before = await everything();
    await assert.rejects(write(), fails);
    assert.deepEqual(await everything(), before, 'something was left behind');
    await assert.rejects(opened().size(key), BlobMissing);
  }

  return [
    check('is ready', () => opened().ready()),

    check('gives back what was written', async () => {
      const bytes = randomBytes(17 * MIB + 5);
      const key = newKey();
      const chunks = [bytes.subarray(0, 3), bytes.subarray(3, 9 * MIB), bytes.subarray(9 * MIB)];
      const stored = await opened().write(key, Readable.from(chunks), ROOM);
      assert.deepEqual(stored, { size: bytes.length, sha256: sha256(bytes) });
      assert.ok((await get(key)).equals(bytes), 'other bytes were read than written');
      assert.equal(await opened().size(key), bytes.length);
    }),

    check('stores no bytes at all as an empty blob', async () => {
      const key = newKey();
      await opened().write(key, Readable.from([]), ROOM);
      assert.equal(await opened().size(key), 0);
      assert.equal((await get(key)).length, 0);
    }),

    check('reads ranges as HTTP means them', async () => {
      const key = newKey();
      await put(key, '0123456789');
      assert.equal(await text(key, { start: 2, end: 4 }), '234');
      assert.equal(await text(key, { start: 7 }), '789');
      assert.equal(await text(key, { end: 1 }), '01');
      assert.equal(await text(key, { start: 9, end: 9 }), '9');
      assert.equal(await text(key, { start: 8, end: 100 }), '89');
      await assert.rejects(opened().read(key, { start: 10 }), BlobRangeUnsatisfiable);
    }),

    check('says which blob is missing', async () => {
      const key = newKey();
      await assert.rejects(opened().read(key), { name: 'BlobMissing', key });
      await assert.rejects(opened().read(key, { start: 1 }), BlobMissing);
      await assert.rejects(opened().size(key), BlobMissing);
    }),

    check('keeps keys apart that differ little', async () => {
      const id = randomUUID();
      const keys = [`files/${id}`, `files-${id}`, `files_${id}`, `files/${id}/1`, `files/${id}-1`];
      for (const key of keys) await put(key, key);
      for (const key of keys) assert.equal(await text(key), key);
      await opened().delete(keys);
    }),

    check('takes the longest key', async () => {
      const key = `${newKey()}-`.padEnd(200, 'x');
      await put(key, 'long');
      assert.equal(await text(key), 'long');
    }),

    check('replaces a blob whole', async () => {
      const key = newKey();
      await put(key, 'a longer first one');
      await put(key, 'second');
      assert.equal(await text(key), 'second');
      assert.equal(await opened().size(key), 6);
    }),

    ...[10, 13 * MIB].map((size) =>
      check(`leaves nothing of ${size} bytes where one byte less is the limit`, async () => {
        const source = Readable.from([randomBytes(size - 1), randomBytes(1)]);
        const key = newKey();
        const limits = { maxBytes: size - 1 };
        await leavesNothing(key, () => opened().write(key, source, limits), BlobTooLarge);
        assert.ok(source.destroyed, 'its source was left open');
        const content = () => opened().writeContent(Readable.from([randomBytes(size)]), limits);
        await leavesNothing(key, content, BlobTooLarge);
      }),
    ),

    ...[0, 13].map((chunks) =>
      check(`keeps the old bytes where the new ones fail after ${chunks} MiB`, async () => {
        const key = newKey();
        await put(key, 'old');
        const before = await everything();
        async function* failing(): AsyncGenerator<Buffer> {
          for (let at = 0; at < chunks; at++) yield Buffer.alloc(MIB, at);
          throw new Error('the client went away');
        }
        await assert.rejects(opened().write(key, failing(), ROOM), /^Error: the client went away$/);
        await assert.rejects(opened().writeContent(failing(), ROOM), /^Error: the client went away$/);
        assert.equal(await text(key), 'old');
        assert.deepEqual(await everything(), before, 'something was left behind');
      }),
    ),

    check('gives up when the stream of a client is cut', async () => {
      const source = new PassThrough();
      const key = newKey();
      source.write('half');
      setTimeout(() => source.destroy(), 20);
      const write = () => opened().write(key, source, ROOM);
      await leavesNothing(key, write, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    }),

    check('keeps one whole blob when several write the same bytes at once', async () => {
      const key = newKey();
      const bytes = randomBytes(MIB);
      const write = () => opened().write(key, Readable.from([bytes]), ROOM);
      await Promise.all([write(), write(), write(), write()]);
      assert.ok((await get(key)).equals(bytes), 'other bytes were read than written');
    }),

    check('stores content once, whether it comes as a buffer or a stream', async () => {
      const bytes = randomBytes(6 * MIB);
      const expected = { key: `content/${sha256(bytes)}`, size: bytes.length, sha256: sha256(bytes) };
      assert.deepEqual(await opened().writeContent(Readable.from([bytes]), ROOM), expected);
      const before = await everything();
      assert.deepEqual(await opened().writeContent(bytes, ROOM), expected);
      assert.deepEqual(await everything(), before);
      assert.ok((await get(expected.key)).equals(bytes), 'other bytes were read than written');
    }),

    check('serves several readers at once, and lets go of one that leaves', async () => {
      const bytes = randomBytes(5 * MIB);
      const key = newKey();
      await put(key, bytes);
      const leaving = await opened().read(key);
      await once(leaving, 'readable');
      leaving.destroy();
      for (const read of await Promise.all([get(key), get(key), get(key)])) assert.ok(read.equals(bytes));
      await opened().delete([key]);
      await assert.rejects(opened().size(key), BlobMissing);
    }),

    check('deletes, and takes what is gone as deleted', async () => {
      const keys = [newKey(), newKey()];
      for (const key of keys) await put(key, 'x');
      await opened().delete([...keys, newKey()]);
      await opened().delete(keys);
      for (const key of keys) await assert.rejects(opened().size(key), BlobMissing);
    }),
  ];
}

function check(name: string, run: () => Promise<void>): BlobStoreCheck {
  return { name, run };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
