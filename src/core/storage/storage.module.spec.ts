import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Settings } from '../config/index.js';
import { ExtensionsModule } from '../extensions/index.js';
import { BlobStorage } from './blob-storage.js';
import { BlobStore } from './blob-store.js';
import { FileBlobStore } from './file-blob-store.js';
import { MemoryStorage } from './memory-storage.fixture.js';
import { StorageModule } from './storage.module.js';

@BlobStorage('memory')
class Counted extends MemoryStorage {
  opened = 0;
  async open(): Promise<void> {
    this.opened++;
  }
}

@BlobStorage('memory')
class Half {
  async ready(): Promise<void> {}
}

@BlobStorage('memory')
class Locked extends MemoryStorage {
  async open(): Promise<void> {
    throw new Error('s3cret');
  }
}

describe('StorageModule', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-module-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  /** With what an extension provides, where it has anything. */
  async function appWith(files: string, providers: Type[] = []): Promise<TestingModule> {
    @Global()
    @Module({
      providers: [{ provide: Settings, useValue: new Settings({ GATEHOUSE_FILES: files }) }],
      exports: [Settings],
    })
    class TestSettingsModule {}

    @Module({ providers })
    class AcmeModule {}

    const imports = [TestSettingsModule, ExtensionsModule.of([]), StorageModule, AcmeModule];
    return Test.createTestingModule({ imports }).compile();
  }

  it('gives every module the store that is set, opened', async () => {
    const app = await appWith(`file:${join(directory, 'set')}`);
    await app.init();
    const store = app.get(BlobStore);
    expect(store).toBeInstanceOf(FileBlobStore);
    await store.writeContent(Buffer.from('x'), { maxBytes: 1 });
    await app.close();
  });

  it("takes an extension's storage by its name", async () => {
    const app = await appWith('memory', [Counted]);
    await app.init();
    const { key } = await app.get(BlobStore).writeContent(Buffer.from('x'), { maxBytes: 1 });
    expect([...app.get(Counted).blobs.keys()]).toEqual([key]);
    expect(app.get(Counted).opened).toBe(1);
    await app.close();
  });

  it.each([
    [
      'another name',
      'memory.other',
      [MemoryStorage],
      'GATEHOUSE_FILES is "memory.other", and no extension has a blob storage of that name. There are file:<directory>, s3://bucket/prefix, memory.',
    ],
    ['a name that is there twice', 'memory', [MemoryStorage, Counted], '"memory" is there twice'],
    ['too few methods', 'memory', [Half], 'the blob storage "memory" has no method write'],
    ['one that cannot be opened', 'memory', [Locked], 'The blob storage memory cannot be opened: Error at '],
  ])('does not start with %s', async (_, name, providers, words) => {
    const app = await appWith(name, providers);
    await expect(app.init()).rejects.toThrow(words);
  });
});
