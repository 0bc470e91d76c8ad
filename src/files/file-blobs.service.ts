import { Injectable, Logger } from '@nestjs/common';

import { BlobStore, type ByteSource, type StoredBytes } from '../core/storage/index.js';
import { FileBlobsRepository } from './file-blobs.repository.js';

export interface StoredBlob extends StoredBytes {
  key: string;
}

/**
 * Stores the bytes of files. Several records may share a blob; it stays as long as one refers to it. A key is written
 * down before its bytes are stored. Whatever fails in between, the pruner finds the unused blob.
 */
@Injectable()
export class FileBlobsService {
  private readonly logger = new Logger('Files');

  constructor(
    private readonly store: BlobStore,
    private readonly blobs: FileBlobsRepository,
  ) {}

  /** `fileId` is of the record that will be the first to refer to it. When it fails, nothing stays. */
  async write(fileId: string, source: ByteSource, maxBytes: number): Promise<StoredBlob> {
    const key = `files/${fileId}`;
    await this.blobs.reserve(key);
    try {
      return { key, ...(await this.store.write(key, source, { maxBytes })) };
    } catch (error) {
      await this.discard([key]);
      throw error;
    }
  }

  /** Deletes blobs that no record refers to. What cannot be deleted now is left to the pruner. */
  async discard(keys: readonly string[]): Promise<void> {
    try {
      await this.store.delete(keys);
      await this.blobs.forget(keys);
    } catch (error) {
      this.logger.warn(`Unused bytes could not be deleted yet: ${String(error)}`);
    }
  }
}
