export {
  type BlobCall,
  type BlobRange,
  type BlobRead,
  BlobStorage,
  type BlobStorageProvider,
} from './blob-storage.js';
export { createBlobStore } from './blob-store.factory.js';
export { BlobStore, type StoredBytes } from './blob-store.js';
export { ByteMeter, type ByteSource } from './byte-meter.js';
export type { ByteRange } from './byte-range.js';
export {
  BlobMissing,
  BlobTooLarge,
  StorageError,
  StorageFull,
  StorageUnavailable,
} from './storage.errors.js';
export { StorageModule } from './storage.module.js';
