import {
  type BlobRead,
  BlobStorage,
  type BlobStorageProvider,
  Extension,
  Runtime,
  type RuntimeProvider,
  Unavailable,
} from '@gatehouse/extension';
import { archiveOf, type Client, startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const ADDRESS = 'https://storage.example/T0p-s3cret';

@BlobStorage('faulty')
class FaultyStorage implements BlobStorageProvider {
  readonly blobs = new Map<string, Buffer>();
  /** What it throws for now. */
  failure: Error | null = null;

  async ready(): Promise<void> {
    if (this.failure) throw this.failure;
  }

  async write(key: string, bytes: Readable): Promise<void> {
    const blob = await buffer(bytes);
    await this.ready();
    this.blobs.set(key, blob);
  }

  async read(key: string, { range }: BlobRead): Promise<AsyncIterable<Uint8Array> | null> {
    const blob = this.blobs.get(key);
    if (!blob) return null;
    return this.chunksOf(range ? blob.subarray(range.start, range.end + 1) : blob);
  }

  async size(key: string): Promise<number | null> {
    return this.blobs.get(key)?.length ?? null;
  }

  async delete(key: string): Promise<void> {
    this.blobs.delete(key);
  }

  /** Fails after half of them. */
  private async *chunksOf(blob: Buffer): AsyncGenerator<Uint8Array> {
    const half = Math.ceil(blob.length / 2);
    yield blob.subarray(0, half);
    await this.ready();
    yield blob.subarray(half);
  }
}

@Runtime('faulty')
class FaultyRuntime implements RuntimeProvider {
  readonly program = 'sh';
  readonly looksFor = 'trouble';

  detect(): never {
    throw new TypeError(ADDRESS);
  }
}

@Extension({ name: 'faulty' })
@Module({ providers: [FaultyRuntime, FaultyStorage] })
class FaultyExtension {}

/** What they do wrong ends the requests and runs that need them, and tells nobody what the error said. */
describe('a storage or a runtime that fails', () => {
  let gatehouse: TestGatehouse;
  let owner: Client;
  let storage: FaultyStorage;
  const printed: string[] = [];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    }
    gatehouse = await startGatehouse({
      extensions: [FaultyExtension],
      env: { GATEHOUSE_FILES: 'faulty', GATEHOUSE_LOG_LEVEL: 'warn', GATEHOUSE_LOG_FORMAT: 'text' },
      runsScripts: true,
    });
    owner = gatehouse.api.as(gatehouse.workspace.owner.token);
    storage = gatehouse.get(FaultyStorage);
  });

  beforeEach(() => {
    storage.failure = null;
  });

  afterAll(async () => {
    await gatehouse?.stop();
    vi.restoreAllMocks();
  });

  const upload = (text = 'hello') =>
    owner.post('/v1/files?name=a.txt', text, { 'content-type': 'text/plain' });
  const script = async (slug: string) => {
    await owner.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.py': `print('${slug} ran')` });
    await owner.post(`/v1/scripts/${slug}/versions`, { archive });
    await owner.post(`/v1/scripts/${slug}/publish`, { version: 1 });
  };

  it('has uploads fail while it is away, and takes them again afterwards', async () => {
    storage.failure = new Error(ADDRESS);
    const { status, text } = await upload();
    expect(status).toBe(503);
    expect(text).not.toContain('s3cret');
    storage.failure = new Unavailable('The storage is being moved.');
    expect((await upload()).body.error.message).toContain('The storage is being moved.');
    expect([...storage.blobs.keys()]).toEqual([]);
    storage.failure = null;
    expect((await upload()).status).toBe(201);
  });

  it('makes the service say that it is not ready', async () => {
    storage.failure = new Error(ADDRESS);
    const away = await gatehouse.api.get('/health/ready');
    expect(away.status).toBe(503);
    expect(away.text).toContain('storage: The blob storage faulty cannot be used just now.');
    expect(away.text).not.toContain('s3cret');
    storage.failure = null;
    // What is known of it may be a second old.
    await expect.poll(async () => (await gatehouse.api.get('/health/ready')).status).toBe(200);
  });

  it('breaks off a download rather than end it early', async () => {
    const { body: file } = await upload('0123456789');
    const download = () => owner.get(`/v1/files/${file.id}/content`).then(({ text }) => text);
    expect(await download()).toBe('0123456789');
    storage.failure = new Error(ADDRESS);
    await expect(download()).rejects.toThrow();
  });

  it('has a run fail, and no later one', async () => {
    await script('away');
    const run = async () => (await owner.post('/v1/scripts/away/runs', { inputs: {} })).body;
    storage.failure = new Error(ADDRESS);
    const failed = await run();
    expect(failed).toMatchObject({
      status: 'failed',
      error:
        "the version's files could not be read: The blob storage faulty cannot be used just now. It failed, and the service has logged where.",
    });
    storage.failure = null;
    expect((await run()).status).toBe('succeeded');
  });

  it('leaves a folder without a command, which is said and can be given', async () => {
    await owner.post('/v1/scripts', { slug: 'odd', name: 'Odd' });
    const archive = await archiveOf({ 'odd.txt': '' });
    const { status, body } = await owner.post('/v1/scripts/odd/versions', { archive });
    expect([status, body.error.message]).toEqual([
      503,
      'The runtime faulty could not say how this folder is run. Say it in "command", or try again later.',
    ]);
    const given = await owner.post('/v1/scripts/odd/versions', { archive, command: 'cat odd.txt' });
    expect(given.status).toBe(201);
    await script('ours');
  });

  it('has its place in the log, and not what it said', () => {
    const log = printed.join('');
    expect(log).toMatch(/The blob storage faulty could not write: Error at .*storages\.faults/);
    expect(log).toMatch(/The runtime faulty could not say how a folder is run: TypeError at /);
    expect(log).not.toContain('s3cret');
  });
});
