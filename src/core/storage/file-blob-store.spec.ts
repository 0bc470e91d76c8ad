import { mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FileBlobStore } from './file-blob-store.js';
import { StagedFiles } from './staged-files.js';
import { BlobMissing, StorageFull, StorageUnavailable } from './storage.errors.js';

const ROOM = { maxBytes: 1000 };
const HOUR = 60 * 60;

describe('FileBlobStore', () => {
  let parent: string;
  let directory: string;
  let store: FileBlobStore;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
    directory = join(parent, 'data', 'files');
    store = new FileBlobStore(directory);
    await store.open();
  });

  afterEach(async () => {
    await rm(parent, { recursive: true });
  });

  const put = (key: string, text = 'x') => store.write(key, Readable.from([Buffer.from(text)]), ROOM);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  it('makes folders and files that only its user can enter, sharded', async () => {
    await put('files/fil_0123');
    const shards = (await readdir(directory)).filter((name) => name !== 'staged');
    expect(shards).toHaveLength(1);
    expect(shards[0]).toMatch(/^[0-9a-f]{2}$/);
    expect(await readdir(join(directory, shards[0]!))).toEqual(['files.fil_0123']);
    expect(await modeOf(join(parent, 'data'))).toBe(0o700);
    expect(await modeOf(join(directory, 'staged'))).toBe(0o700);
    expect(await modeOf(join(directory, shards[0]!))).toBe(0o700);
    expect(await modeOf(join(directory, shards[0]!, 'files.fil_0123'))).toBe(0o600);
  });

  it('keeps keys apart that differ only in their slashes', async () => {
    await put('a/b', 'slash');
    await put('a-b', 'dash');
    expect(await store.size('a/b')).toBe(5);
    expect(await store.size('a-b')).toBe(4);
  });

  it('reads nothing from the start of an empty blob, and refuses what lies behind it', async () => {
    await put('files/empty', '');
    expect((await buffer(await store.read('files/empty', { start: 0, end: 5 }))).length).toBe(0);
    await expect(store.read('files/empty', { start: 1 })).rejects.toMatchObject({ start: 1, size: 0 });
  });

  it('sweeps what a crash left more than a day ago, and nothing that may still be written', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(directory, 'staged', name));
    await writeFile(old!, 'half');
    await writeFile(young!, 'half');
    const now = Date.now() / 1000;
    await utimes(old!, now, now - 25 * HOUR);
    await utimes(young!, now, now - 23 * HOUR);
    await put('files/kept');
    await new FileBlobStore(directory).open();
    expect(await readdir(join(directory, 'staged'))).toEqual(['young']);
    expect(await store.size('files/kept')).toBe(1);
  });

  it('leaves nothing behind when it is asked whether it is ready', async () => {
    await store.ready();
    expect(await readdir(join(directory, 'staged'))).toEqual([]);
  });

  it('does not take blobs for missing or deleted while its disk is not mounted', async () => {
    await put('files/one', 'still there');
    await rename(directory, join(parent, 'elsewhere'));
    await mkdir(directory);
    for (const attempt of [
      () => store.read('files/one'),
      () => store.size('files/one'),
      () => store.delete(['files/one']),
      () => store.copyToFile('files/one', join(parent, 'copy')),
      () => store.ready(),
      () => put('files/two'),
    ]) {
      await expect(attempt()).rejects.toThrow(StorageUnavailable);
    }
    expect(await readdir(directory)).toEqual([]);

    await rm(directory, { recursive: true });
    await rename(join(parent, 'elsewhere'), directory);
    expect(await store.size('files/one')).toBe('still there'.length);
    await expect(store.size('files/two')).rejects.toThrow(BlobMissing);
  });

  it('refuses to start on a path that is no directory, and says so', async () => {
    await writeFile(join(parent, 'file'), '');
    const misplaced = new FileBlobStore(join(parent, 'file', 'files'));
    const failure = await misplaced.open().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageUnavailable);
    expect(failure).toMatchObject({ passing: false, message: expect.stringContaining('GATEHOUSE_FILES') });
  });

  it('lets go of the file when a reader leaves early', async () => {
    await put('files/big', 'x'.repeat(900));
    const stream = await store.read('files/big');
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    await store.delete(['files/big']);
    await expect(store.size('files/big')).rejects.toThrow(BlobMissing);
  });
});

/** The kernel's own device that has no space, so that a full disk can be had anywhere. */
class FilesOnFullDisk extends StagedFiles {
  constructor(private readonly decoy: string) {
    super(decoy);
  }

  protected override async create() {
    const path = join(this.decoy, 'arriving');
    await writeFile(path, '');
    return { path, handle: await open('/dev/full', 'w') };
  }
}

describe('StagedFiles on a full disk', () => {
  it('says what to do, frees the source and leaves nothing', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-full-'));
    try {
      const files = new FilesOnFullDisk(directory);
      const source = Readable.from([Buffer.from('some bytes')]);
      const failure = await files
        .receive(source, ROOM, async () => undefined)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StorageFull);
      expect(failure).toMatchObject({
        message: expect.stringContaining('GATEHOUSE_FILES'),
        cause: { code: 'ENOSPC' },
      });
      expect(source.destroyed).toBe(true);
      await expect(files.probe()).rejects.toThrow(StorageFull);
      expect(await readdir(directory)).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
