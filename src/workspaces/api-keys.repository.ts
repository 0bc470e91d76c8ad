import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { columns, Database, NOW, type RowOf } from '../core/database/index.js';
import { ApiKey } from './api-key.entity.js';

export type NewApiKey = Omit<ApiKey, 'lastUsedAt' | 'revokedAt' | 'createdAt'>;

const RECORD = columns(ApiKey, 'k', 'id', 'name', 'last4', 'createdByUserId', 'lastUsedAt', 'createdAt');
const NAME = columns(ApiKey, 'k', 'name');

/** A key with the name of the environment that it is bound to, or null. */
export type ApiKeyRow = RowOf<typeof RECORD> & { environment: string | null };

@Injectable()
export class ApiKeysRepository {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly database: Database,
  ) {}

  /** Returns when it was made. */
  async insert(key: NewApiKey): Promise<Date> {
    const { generatedMaps } = await this.keys.insert(key);
    return (generatedMaps[0] as Pick<ApiKey, 'createdAt'>).createdAt;
  }

  list(workspaceId: string, after: string | null, count: number): Promise<ApiKeyRow[]> {
    return this.database.query<ApiKeyRow>(LIST, [workspaceId, after, count]);
  }

  /** The name of the key, or null: there is no such key, or it is revoked already. */
  async revoke(workspaceId: string, id: string): Promise<string | null> {
    const row = await this.database.one<RowOf<typeof NAME>>(REVOKE, [workspaceId, id]);
    return row?.name ?? null;
  }

  async revokeAll(workspaceId: string): Promise<void> {
    await this.keys.update({ workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }
}

const LIST = `
  SELECT ${RECORD}, e.name AS environment
  FROM api_keys k LEFT JOIN environments e ON e.id = k.environment_id
  WHERE k.workspace_id = $1 AND k.revoked_at IS NULL AND k.id < coalesce($2, '~')
  ORDER BY k.id DESC LIMIT $3`;

const REVOKE = `
  UPDATE api_keys k SET revoked_at = now() WHERE k.workspace_id = $1 AND k.id = $2 AND k.revoked_at IS NULL
  RETURNING ${NAME}`;
