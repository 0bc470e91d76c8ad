import { Global, Module } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { BlobStorages } from './blob-storages.js';
import { createBlobStore } from './blob-store.factory.js';
import { BlobStore } from './blob-store.js';
import { ProvidedBlobStore } from './provided-blob-store.js';

/** Gives every module the `BlobStore`, opened and known to be usable. */
@Global()
@Module({
  providers: [
    BlobStorages,
    {
      provide: BlobStore,
      inject: [Settings],
      useFactory: async (settings: Settings): Promise<BlobStore> => {
        const store = await createBlobStore(settings.files);
        if (!(store instanceof ProvidedBlobStore)) await store.open();
        return store;
      },
    },
  ],
  exports: [BlobStore],
})
export class StorageModule {}
