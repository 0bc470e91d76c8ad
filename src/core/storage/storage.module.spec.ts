import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Settings } from '../config/settings.js';
import { BlobStore } from './blob-store.js';
import { FileBlobStore } from './file-blob-store.js';
import { CUSTOM_BLOB_STORE, StorageModule } from './storage.module.js';

describe('StorageModule', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-module-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  @Global()
  @Module({
    providers: [
      {
        provide: Settings,
        useFactory: () => new Settings({ GATEHOUSE_FILES: `file:${join(directory, 'set')}` }),
      },
    ],
    exports: [Settings],
  })
  class TestSettingsModule {}

  it('gives every module the store that is set, opened', async () => {
    const app = await Test.createTestingModule({ imports: [TestSettingsModule, StorageModule] }).compile();
    const store = app.get(BlobStore);
    expect(store).toBeInstanceOf(FileBlobStore);
    await store.writeContent(Buffer.from('x'), { maxBytes: 1 });
    await app.close();
  });

  it("lets an extension's store take its place", async () => {
    class CountedBlobStore extends FileBlobStore {
      opened = 0;
      closed = 0;
      override async open() {
        this.opened++;
        await super.open();
      }
      override async close() {
        this.closed++;
      }
    }
    @Global()
    @Module({
      providers: [
        { provide: CUSTOM_BLOB_STORE, useFactory: () => new CountedBlobStore(join(directory, 'own')) },
      ],
      exports: [CUSTOM_BLOB_STORE],
    })
    class ExtensionModule {}

    const app = await Test.createTestingModule({
      imports: [TestSettingsModule, StorageModule, ExtensionModule],
    }).compile();
    await app.init();
    const store = app.get(BlobStore);
    expect(store).toBeInstanceOf(CountedBlobStore);
    expect(store).toMatchObject({ opened: 1 });
    await app.close();
    expect((store as CountedBlobStore).closed).toBeGreaterThan(0);
  });
});
