import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { newId } from '../core/crypto/index.js';
import { BlobStore, type ByteRange } from '../core/storage/index.js';
import { UsageService } from '../usage/index.js';
import { FileBlobsService } from './file-blobs.service.js';
import type { RunLogPart } from './run-log-part.entity.js';
import { RunLogPartsRepository } from './run-log-parts.repository.js';

export type NewLogPart = Omit<RunLogPart, 'blobKey'>;

/** Where lines of a log lie in the file store. */
export type StoredLogPart = Pick<RunLogPart, 'firstLine' | 'lines' | 'size' | 'blobKey'>;

/** The lines of long logs that the database does not keep. */
@Injectable()
export class RunLogPartsService {
  constructor(
    private readonly parts: RunLogPartsRepository,
    private readonly blobs: FileBlobsService,
    private readonly store: BlobStore,
    private readonly usage: UsageService,
  ) {}

  /**
   * Stores the text of lines, each with its newline. Not to be called within a transaction. The result goes to `insert`; if it never
   * does, the bytes are deleted a day later, or at once by `discard`.
   *
   * @throws QuotaExceeded where the workspace may not keep that much
   */
  async write(part: NewLogPart, text: readonly Buffer[]): Promise<RunLogPart> {
    await this.usage.assertRoom(part.workspaceId, 'storage_bytes', part.size);
    const { key: blobKey } = await this.blobs.write(newId('file'), Readable.from(text), part.size);
    return { ...part, blobKey };
  }

  /**
   * Part of the transaction that holds the run.
   *
   * @throws QuotaExceeded
   */
  async insert(part: RunLogPart): Promise<void> {
    await this.parts.insert(part);
    await this.usage.assertStored(part.workspaceId, part.size);
  }

  /** For lines of a run that somebody else has by now. Never fails. */
  async discard({ blobKey }: RunLogPart): Promise<void> {
    await this.blobs.discard([blobKey]);
  }

  /** In the order of their lines. */
  of(runId: string): Promise<StoredLogPart[]> {
    return this.parts.of(runId);
  }

  read({ blobKey }: Pick<StoredLogPart, 'blobKey'>, range?: ByteRange): Promise<Readable> {
    return this.store.read(blobKey, range);
  }
}
