import { Injectable } from '@nestjs/common';

import { type RowOf, columns } from '../database/columns.js';
import { Database } from '../database/database.js';
import { WorkspaceKey } from './workspace-key.entity.js';

const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');

/** A workspace's data key, sealed by the master key of that id. */
export type WorkspaceKeyRow = RowOf<typeof KEY>;

@Injectable()
export class WorkspaceKeysRepository {
  constructor(private readonly database: Database) {}

  find(workspaceId: string): Promise<WorkspaceKeyRow | null> {
    return this.database.one<WorkspaceKeyRow>(
      `SELECT ${KEY} FROM workspace_keys k WHERE k.workspace_id = $1`,
      [workspaceId],
    );
  }

  /** Nothing is added where there is one, or where another master key is in use. */
  async add({ workspaceId, masterKeyId, sealedKey }: WorkspaceKeyRow): Promise<void> {
    await this.database.execute(
      `INSERT INTO workspace_keys (workspace_id, master_key_id, sealed_key) SELECT $1, $2, $3
       WHERE NOT EXISTS (SELECT FROM workspace_keys WHERE master_key_id <> $2)
       ON CONFLICT (workspace_id) DO NOTHING`,
      [workspaceId, masterKeyId, sealedKey],
    );
  }

  /** Whether some key is sealed by another master key than that of this id. */
  async someUnderAnother(masterKeyId: string): Promise<boolean> {
    const row = await this.database.one<{ found: boolean }>(
      'SELECT EXISTS (SELECT FROM workspace_keys WHERE master_key_id <> $1) AS found',
      [masterKeyId],
    );
    return row!.found;
  }

  /** Nobody reads or adds a key until the transaction ends. */
  async lock(): Promise<void> {
    await this.database.queryOnce('LOCK TABLE workspace_keys IN ACCESS EXCLUSIVE MODE');
  }

  page(after: string, count: number): Promise<WorkspaceKeyRow[]> {
    return this.database.query<WorkspaceKeyRow>(
      `SELECT ${KEY} FROM workspace_keys k WHERE k.workspace_id > $1 ORDER BY k.workspace_id LIMIT $2`,
      [after, count],
    );
  }

  async replace(rows: WorkspaceKeyRow[]): Promise<void> {
    await this.database.execute(
      `UPDATE workspace_keys k SET master_key_id = n.master_key_id, sealed_key = n.sealed_key
       FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n(workspace_id, master_key_id, sealed_key)
       WHERE k.workspace_id = n.workspace_id`,
      [
        rows.map(({ workspaceId }) => workspaceId),
        rows.map(({ masterKeyId }) => masterKeyId),
        rows.map(({ sealedKey }) => sealedKey),
      ],
    );
  }
}
