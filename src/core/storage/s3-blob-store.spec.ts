import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { S3BlobStore } from './s3-blob-store.js';
import type { S3Location } from './s3-blob-store.js';
import { startBucket } from './s3-server.fixture.js';
import type { TestBucket } from './s3-server.fixture.js';
import { BlobRangeUnsatisfiable, StorageUnavailable } from './storage.errors.js';

const ROOM = { maxBytes: 1000 };

describe('S3BlobStore', () => {
  let bucket: TestBucket;
  const opened: S3BlobStore[] = [];
  const servers: Server[] = [];

  beforeAll(async () => {
    bucket = await startBucket();
  });

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.onApplicationShutdown();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  afterAll(async () => {
    await bucket.stop();
  });

  function storeAt(changes: Partial<S3Location> = {}): S3BlobStore {
    const { endpoint } = bucket;
    const store = new S3BlobStore({
      bucket: bucket.bucket,
      prefix: '',
      endpoint,
      region: 'us-east-1',
      ...changes,
    });
    opened.push(store);
    return store;
  }

  const put = (store: S3BlobStore, key: string, text: string) =>
    store.write(key, Readable.from([Buffer.from(text)]), ROOM);
  const failureOf = (step: Promise<unknown>) => step.catch((error: unknown) => error);

  it('keeps to its prefix', async () => {
    const [one, two] = [storeAt({ prefix: '/team/one/' }), storeAt({ prefix: 'two' })];
    await put(one, 'files/a', 'first');
    await put(two, 'files/a', 'second');
    expect(await bucket.keys()).toEqual(['team/one/files/a', 'two/files/a']);
    expect((await buffer(await one.read('files/a'))).toString()).toBe('first');
    await two.delete(['files/a']);
    expect(await bucket.keys()).toEqual(['team/one/files/a']);
  });

  it('gives up unfinished uploads of its own prefix, and none that just began', async () => {
    const begin = (Key: string) =>
      bucket.client.send(new CreateMultipartUploadCommand({ Bucket: bucket.bucket, Key }));
    await begin('mine/files/a');
    await begin('theirs/files/a');
    const store = storeAt({ prefix: 'mine' });
    await store.open();
    expect((await bucket.unfinishedUploads()).sort()).toEqual(['mine/files/a', 'theirs/files/a']);
    await store.abortUploadsBefore(new Date(Date.now() + 60_000));
    await storeAt().abortUploadsBefore(new Date(Date.now() + 60_000));
    expect(await bucket.unfinishedUploads()).toEqual(['theirs/files/a']);
  });

  it('refuses to start on a bucket that does not exist, and says so', async () => {
    const store = storeAt({ bucket: 'nowhere-to-be-found' });
    const failure = await failureOf(store.open());
    expect(failure).toBeInstanceOf(StorageUnavailable);
    expect(failure).toMatchObject({ passing: false, message: expect.stringContaining('bucket') });
    expect(await failureOf(put(store, 'files/a', 'x'))).toMatchObject({
      name: 'StorageUnavailable',
      passing: false,
    });
  });

  it('refuses to start with credentials that the store does not take, and never tells them', async () => {
    const valid = process.env['AWS_ACCESS_KEY_ID'];
    process.env['AWS_ACCESS_KEY_ID'] = 'not-the-right-one';
    try {
      const failure = await failureOf(storeAt().open());
      expect(failure).toMatchObject({ passing: false, message: expect.stringContaining('credentials') });
      expect(String(failure)).not.toContain('not-the-right-one');
    } finally {
      process.env['AWS_ACCESS_KEY_ID'] = valid;
    }
  });

  it('starts while the store is away, fails as passing until it is back, and frees the source', async () => {
    const store = storeAt({ endpoint: 'http://127.0.0.1:9' });
    await store.open();
    const source = Readable.from([Buffer.from('x')]);
    for (const failure of [
      await failureOf(store.ready()),
      await failureOf(store.read('files/a')),
      await failureOf(store.delete(['files/a'])),
      await failureOf(store.write('files/a', source, ROOM)),
      await failureOf(store.writeContent(Buffer.from('x'), ROOM)),
    ]) {
      expect(failure).toMatchObject({ name: 'StorageUnavailable', passing: true });
    }
    expect(source.destroyed).toBe(true);
  });

  it('leaves no half file when the connection is cut on the way', async () => {
    const store = await responding((request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => setTimeout(() => request.socket.destroy(), 20));
    });
    const path = join(tmpdir(), `gatehouse-${randomUUID()}`);
    const failure = await failureOf(store.copyToFile('files/a', path));
    expect(failure).toMatchObject({ name: 'StorageUnavailable', passing: true });
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('reads nothing from the start of an empty object, and refuses what lies behind it', async () => {
    const store = await responding((_, response) => {
      response.writeHead(416, { 'content-type': 'application/xml' });
      response.end('<Error><Code>InvalidRange</Code><ActualObjectSize>0</ActualObjectSize></Error>');
    });
    expect((await buffer(await store.read('files/a', { start: 0, end: 5 }))).length).toBe(0);
    await expect(store.read('files/a', { start: 1 })).rejects.toThrow(BlobRangeUnsatisfiable);
  });

  it('refuses a store that returns everything for a range', async () => {
    const store = await responding((_, response) => response.end('0123456789'));
    await expect(store.read('files/a', { start: 2, end: 3 })).rejects.toThrow('ranges');
  });

  /** A store at a server that gives one kind of response, as some stores do at some times. */
  async function responding(listener: RequestListener): Promise<S3BlobStore> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return storeAt({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  }
});
