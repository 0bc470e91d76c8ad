import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { inSeconds } from '../core/database/moments.js';
import { FileBlob } from './file-blob.entity.js';

const DAY_SECONDS = 86_400;

const KEY = columns(FileBlob, 'b', 'key');
type KeyRow = RowOf<typeof KEY>;

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

  /** Removes keys that no file refers to. */
  async forget(keys: readonly string[]): Promise<void> {
    await this.database.execute(FORGET, [keys]);
  }

  /** False: another process prunes. Holds until the transaction ends. */
  async claimPruning(): Promise<boolean> {
    const row = await this.database.one<{ claimed: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('gatehouse file pruner', 0)) AS claimed`,
    );
    return row!.claimed;
  }

  /** Deletes files that have expired. Returns how many. */
  async deleteExpired(most: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(DELETE_EXPIRED, [most]);
    return row!.count;
  }

  /** Keys that are due to be looked at, locked. */
  async due(most: number): Promise<string[]> {
    const rows = await this.database.query<KeyRow>(DUE, [most]);
    return rows.map(({ key }) => key);
  }

  /** Those of the keys that files still refer to; they are looked at again when the last of these expires. */
  async keepUsed(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<KeyRow>(KEEP_USED, [keys]);
    return new Set(rows.map(({ key }) => key));
  }
}

const FORGET = `
  DELETE FROM file_blobs b WHERE b.key = ANY($1) AND NOT EXISTS (SELECT FROM files f WHERE f.blob_key = b.key)`;

const DUE = `
  SELECT ${KEY} FROM file_blobs b WHERE b.check_at <= now() ORDER BY b.check_at LIMIT $1 FOR UPDATE SKIP LOCKED`;

const DELETE_EXPIRED = `
  WITH due AS (
    SELECT id FROM files WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM files f USING due WHERE f.id = due.id RETURNING f.blob_key
  ), released AS (
    UPDATE file_blobs b SET check_at = now() WHERE b.key IN (SELECT blob_key FROM gone)
  )
  SELECT count(*) AS count FROM gone`;

const KEEP_USED = `
  UPDATE file_blobs b SET check_at = GREATEST(used.until, now() + interval '1 minute')
  FROM (SELECT blob_key, max(expires_at) AS until FROM files WHERE blob_key = ANY($1) GROUP BY blob_key) AS used
  WHERE b.key = used.blob_key
  RETURNING ${KEY}`;
