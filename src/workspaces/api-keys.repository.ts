import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

export interface ApiKeyRow {
  id: string;
  name: string;
  environment: string | null;
  last4: string;
  createdByUserId: string | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export interface NewApiKeyRow {
  id: string;
  workspaceId: string;
  environmentId: string | null;
  name: string;
  hash: Buffer;
  last4: string;
  createdByUserId: string | null;
}

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  async insert(key: NewApiKeyRow): Promise<ApiKeyRow> {
    const row = await this.database.one<ApiKeyRow>(
      `INSERT INTO api_keys AS k (id, workspace_id, environment_id, name, hash, last4, created_by_user_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${RECORD}`,
      [key.id, key.workspaceId, key.environmentId, key.name, key.hash, key.last4, key.createdByUserId],
    );
    return row!;
  }

  list(workspaceId: string, after: string | null, count: number): Promise<ApiKeyRow[]> {
    return this.database.query<ApiKeyRow>(
      `SELECT ${RECORD} FROM api_keys k
       WHERE k.workspace_id = $1 AND k.revoked_at IS NULL AND k.id < coalesce($2, '~')
       ORDER BY k.id DESC LIMIT $3`,
      [workspaceId, after, count],
    );
  }

  /** The name of the key, or null: there is no such key, or it is revoked already. */
  async revoke(workspaceId: string, id: string): Promise<string | null> {
    const row = await this.database.one<{ name: string }>(
      `UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1 AND id = $2 AND revoked_at IS NULL
       RETURNING name`,
      [workspaceId, id],
    );
    return row?.name ?? null;
  }
}

const RECORD = `
  k.id, k.name, (SELECT e.name FROM environments e WHERE e.id = k.environment_id) AS environment, k.last4,
  k.created_by_user_id AS "createdByUserId", k.last_used_at AS "lastUsedAt", k.created_at AS "createdAt"`;
