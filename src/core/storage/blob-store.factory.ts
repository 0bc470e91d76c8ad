import type { FilesLocation } from '../config/index.js';
import type { BlobStore } from './blob-store.js';
import { FileBlobStore } from './file-blob-store.js';
import { ProvidedBlobStore } from './provided-blob-store.js';

/** The store that GATEHOUSE_FILES names. It still has to be opened. */
export async function createBlobStore(location: FilesLocation): Promise<BlobStore> {
  if (location.kind === 'file') return new FileBlobStore(location.directory);
  if (location.kind === 'extension') return new ProvidedBlobStore(location.name);
  // Loaded only where it is used: the AWS SDK costs 20 MB and a tenth of a second.
  const { S3BlobStore } = await import('./s3-blob-store.js');
  return new S3BlobStore(location);
}
