import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { Database, inSeconds, isPast } from '../core/database/index.js';
import { FileBlob } from './file-blob.entity.js';
import { DELETE_EXPIRED, FILE_PRUNER, KEEP_USED } from './file-blobs.sql.js';

const DAY_SECONDS = 86_400;

@Injectable()
export class FileBlobsRepository {
  constructor(
    @InjectRepository(FileBlob) private readonly blobs: Repository<FileBlob>,
    private readonly database: Database,
  ) {}

  /** Written down before the bytes are, so that bytes whose file is never recorded are found and deleted. */
  async reserve(key: string): Promise<void> {
    await this.blobs.insert({ key, checkAt: inSeconds(DAY_SECONDS) });
  }

  /** Removes keys that nothing refers to. */
  async forget(keys: readonly string[]): Promise<void> {
    await this.blobs
      .createQueryBuilder()
      .delete()
      .where({ key: Any([...keys]) })
      .andWhere('NOT EXISTS (SELECT FROM files f WHERE f.blob_key = file_blobs.key)')
      .andWhere('NOT EXISTS (SELECT FROM run_log_parts p WHERE p.blob_key = file_blobs.key)')
      .execute();
  }

  /** False: another process prunes. Holds until the transaction ends. */
  claimPruning(): Promise<boolean> {
    return this.database.tryLock(FILE_PRUNER);
  }

  /** Deletes files that have expired. Returns how many. */
  async deleteExpired(most: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(DELETE_EXPIRED, [most]);
    return row!.count;
  }

  /** Keys that are due to be looked at, locked. */
  async due(most: number): Promise<string[]> {
    const due = await this.blobs.find({
      where: { checkAt: isPast() },
      order: { checkAt: 'ASC' },
      take: most,
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    return due.map(({ key }) => key);
  }

  /** Those of the keys that files and logs still refer to; they are looked at again when the last of the files expires. */
  async keepUsed(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<Pick<FileBlob, 'key'>>(KEEP_USED, [keys]);
    return new Set(rows.map(({ key }) => key));
  }
}
