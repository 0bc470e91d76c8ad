import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import { BlobStore } from '../core/storage/index.js';
import { Loop } from '../core/work/index.js';
import { FileBlobsRepository } from './file-blobs.repository.js';

const EVERY_MS = 60_000;
const BATCH = 500;

/** Deletes what has expired: records first, then the bytes that no record refers to any more. */
@Injectable()
export class FilePruner {
  constructor(
    private readonly database: Database,
    private readonly blobs: FileBlobsRepository,
    private readonly store: BlobStore,
  ) {}

  /** A batch of each. */
  @Loop({ every: EVERY_MS, atStart: false })
  async prune(): Promise<boolean> {
    const moreRecords = await this.pruneRecords();
    const moreBlobs = await this.pruneBlobs();
    return moreRecords || moreBlobs;
  }

  /** True: there may be more. */
  private pruneRecords(): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.blobs.claimPruning())) return false;
      return (await this.blobs.deleteExpired(BATCH)) === BATCH;
    });
  }

  private async pruneBlobs(): Promise<boolean> {
    const due = await this.database.transaction(async () => {
      if (!(await this.blobs.claimPruning())) return { keys: [], unused: [] };
      const keys = await this.blobs.due(BATCH);
      // A statement of its own, so that it sees every record whose transaction held a lock until now.
      const used = await this.blobs.keepUsed(keys);
      return { keys, unused: keys.filter((key) => !used.has(key)) };
    });
    // New references are only made from existing ones, so an unused blob stays unused. The key goes last: if the
    // process dies before that, the next round deletes again.
    await this.store.delete(due.unused);
    await this.blobs.forget(due.unused);
    return due.keys.length === BATCH;
  }
}
