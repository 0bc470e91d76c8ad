import type { BlobStorageProvider } from '../../../src/core/storage/blob-storage.js';
import { type BlobStoreCheck, blobStoreChecks } from '../../../src/core/storage/blob-store-checks.js';
import { ProvidedBlobStore } from '../../../src/core/storage/provided-blob-store.js';

/** Shorter than a service's, so that a storage that hangs fails the test instead of its time limit. */
const PATIENCE = { callMs: 4_000, stalledMs: 4_000 };

export interface BlobStorageChecksOptions {
  /**
   * All that the storage keeps, by names of any kind, unfinished writes included: so it is seen whether a write that failed leaves
   * something behind.
   */
  kept?: () => Promise<readonly string[]>;
}

/**
 * What a blob storage has to keep, as checks for any test framework. They are those that Gatehouse's own stores pass. Each
 * writes under keys of its own, some 20 MiB at most.
 *
 * @param storage is asked for by each check, so it may be made in a hook that comes before
 * @example
 * ```ts
 * describe('the storage', () => {
 *   for (const { name, run } of blobStorageChecks(() => storage)) it(name, run);
 * });
 * ```
 */
export function blobStorageChecks(
  storage: () => BlobStorageProvider,
  { kept }: BlobStorageChecksOptions = {},
): BlobStoreCheck[] {
  const store = (): ProvidedBlobStore => {
    const provided = new ProvidedBlobStore('checked', PATIENCE);
    provided.use(storage());
    return provided;
  };
  return blobStoreChecks({ store, kept });
}
