import { Injectable } from '@nestjs/common';

import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';

export interface PersonalTokenRow {
  id: string;
  name: string;
  scopes: string[];
  workspaces: string[] | null;
  last4: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export interface NewPersonalTokenRow {
  id: string;
  userId: string;
  name: string;
  scopes: readonly string[];
  workspaceIds: readonly string[] | null;
  hash: Buffer;
  last4: string;
  expiresAt: Date | null;
}

export interface RevokedToken {
  id: string;
  name: string;
  userId: string;
  workspaceIds: string[] | null;
}

@Injectable()
export class PersonalTokensRepository {
  constructor(private readonly database: Database) {}

  async insert(token: NewPersonalTokenRow): Promise<PersonalTokenRow> {
    const row = await this.database.one<PersonalTokenRow>(
      `INSERT INTO personal_tokens AS t (id, user_id, name, scopes, workspace_ids, hash, last4, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${RECORD}`,
      [
        token.id,
        token.userId,
        token.name,
        token.scopes,
        token.workspaceIds,
        token.hash,
        token.last4,
        token.expiresAt,
      ],
    );
    return row!;
  }

  list(userId: string, after: string | null, count: number): Promise<PersonalTokenRow[]> {
    return this.database.query<PersonalTokenRow>(LIST, [userId, after, count]);
  }

  /** null: the person has no such token, or it is revoked already. */
  revoke(id: string, userId: string): Promise<RevokedToken | null> {
    return this.database.one<RevokedToken>(
      `UPDATE personal_tokens SET revoked_at = now() WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL
       RETURNING id, name, user_id AS "userId", workspace_ids AS "workspaceIds"`,
      [id, userId],
    );
  }
}

const RECORD = `
  t.id, t.name, t.scopes, t.last4, t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt",
  t.created_at AS "createdAt",
  CASE WHEN t.workspace_ids IS NOT NULL THEN ARRAY(
    SELECT w.slug FROM workspaces w WHERE w.id = ANY (t.workspace_ids) AND w.deleted_at IS NULL ORDER BY w.slug
  ) END AS workspaces`;

/** A token may name a thousand workspaces, whose slugs are shown. */
const LIST = boundedPage({
  candidates: `
    SELECT t.id, 1000 + 66 * coalesce(cardinality(t.workspace_ids), 0) AS bytes FROM personal_tokens t
    WHERE t.user_id = $1 AND t.revoked_at IS NULL AND t.id < coalesce($2, '~') ORDER BY t.id DESC LIMIT $3`,
  columns: RECORD,
  tables: 'FROM page JOIN personal_tokens t ON t.id = page.id',
});
