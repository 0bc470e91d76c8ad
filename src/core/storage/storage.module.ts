import { Global, Module } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { createBlobStore } from './blob-store.factory.js';
import { BlobStore } from './blob-store.js';

/**
 * Token under which an extension provides a store of its own; it then takes the place of what GATEHOUSE_FILES names.
 * The module that provides it has to be global and to export it.
 *
 * @example
 * ```ts
 * @Global()
 * @Module({
 *   providers: [{ provide: CUSTOM_BLOB_STORE, useClass: TapeBlobStore }],
 *   exports: [CUSTOM_BLOB_STORE],
 * })
 * export class TapeStorageModule {}
 * ```
 */
export const CUSTOM_BLOB_STORE = Symbol('CUSTOM_BLOB_STORE');

/** Gives every module the `BlobStore`, opened and known to be usable. */
@Global()
@Module({
  providers: [
    {
      provide: BlobStore,
      inject: [Settings, { token: CUSTOM_BLOB_STORE, optional: true }],
      useFactory: async (settings: Settings, custom?: BlobStore): Promise<BlobStore> => {
        const store = custom ?? (await createBlobStore(settings.files));
        await store.open();
        return store;
      },
    },
  ],
  exports: [BlobStore],
})
export class StorageModule {}
