import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../extensions/index.js';
import { BlobStorage, type BlobStorageProvider } from './blob-storage.js';
import { BlobStore } from './blob-store.js';
import { ProvidedBlobStore } from './provided-blob-store.js';

const BUILT_IN = ['file:<directory>', 's3://bucket/prefix'];

/** Gives the store that GATEHOUSE_FILES names its storage, once extensions are there. */
@Injectable()
export class BlobStorages implements OnModuleInit {
  constructor(
    private readonly named: NamedProviders,
    private readonly store: BlobStore,
  ) {}

  /** Opened here, before anything else of the application begins: the module is a global one. */
  async onModuleInit(): Promise<void> {
    const storages = this.named.find<BlobStorageProvider>('blob storage', {
      decorator: BlobStorage,
      methods: ['ready', 'write', 'read', 'size', 'delete'],
    });
    if (!(this.store instanceof ProvidedBlobStore)) return;
    const storage = storages.get(this.store.name);
    if (!storage) throw new Error(unknown(this.store.name, [...storages.keys()]));
    this.store.use(storage);
    await this.store.open();
  }
}

function unknown(name: string, names: readonly string[]): string {
  return `GATEHOUSE_FILES is "${name}", and no extension has a blob storage of that name. There are ${[...BUILT_IN, ...names].join(', ')}.`;
}
