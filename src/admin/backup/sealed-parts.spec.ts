import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createBlobStore } from '../../core/storage/index.js';
import { newKeyFile, Opener, Seal } from './sealing.js';
import { intoStream, unpack } from './sinks.js';

const BYTES = randomBytes(9 * 1024 * 1024 + 17);

let directory: string;
let keyFile: string;
let publicFile: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-sealed-'));
  keyFile = join(directory, 'backup.key');
  publicFile = join(directory, 'backup.pub');
  const { text, recipient } = await newKeyFile();
  await writeFile(keyFile, text);
  await writeFile(publicFile, `${recipient}\n`);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const sealed = async (bytes: Buffer): Promise<Buffer> =>
  buffer(await (await Seal.of(publicFile)).seal(Readable.from([bytes])));

const opened = async (bytes: Buffer): Promise<Buffer> =>
  buffer(await (await Opener.of(keyFile)).open(Readable.from([bytes])));

it('opens with the key alone what the public key has sealed', async () => {
  const closed = await sealed(BYTES);
  expect(closed.includes(BYTES.subarray(0, 64))).toBe(false);
  expect((await opened(closed)).equals(BYTES)).toBe(true);
  await expect(Opener.of(publicFile)).rejects.toThrow('only public keys');
});

it('does not open what was cut off, at any place, or changed', async () => {
  const closed = await sealed(BYTES.subarray(0, 200_000));
  for (const length of [10, 150, 300, 65_536, 131_500, closed.length - 17, closed.length - 1]) {
    await expect(opened(closed.subarray(0, length)), String(length)).rejects.toThrow();
  }
  for (const at of [30, 100, 70_000, closed.length - 1]) {
    const changed = Buffer.from(closed);
    changed[at]! ^= 1;
    await expect(opened(changed), String(at)).rejects.toThrow();
  }
});

it('goes through a stream, in parts, and a key that is written twice has what came last', async () => {
  const out = new PassThrough();
  const all = buffer(out);
  const sink = intoStream(out);
  const first = await sink.write('catalogue', Readable.from([Buffer.from('first')]));
  const large = await sink.write('blobs/a', Readable.from([BYTES.subarray(0, 5), BYTES.subarray(5)]));
  await sink.write('blobs/none', Readable.from([]));
  await sink.write('catalogue', Readable.from([Buffer.from('second')]));
  await sink.end();
  out.end();
  expect([first.size, large.size]).toEqual([5, BYTES.length]);

  const store = await createBlobStore({ kind: 'file', directory: join(directory, 'store') });
  await store.open();
  await unpack(Readable.from([await all]), store);
  expect((await buffer(await store.read('blobs/a'))).equals(BYTES)).toBe(true);
  expect(await store.size('blobs/none')).toBe(0);
  expect((await buffer(await store.read('catalogue'))).toString()).toBe('second');
});
