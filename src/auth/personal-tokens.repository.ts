import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { boundedPage, columns, Database, NOW, type RowOf } from '../core/database/index.js';
import { PersonalToken } from './personal-token.entity.js';

export type NewPersonalToken = Omit<PersonalToken, 'lastUsedAt' | 'revokedAt' | 'createdAt'>;

const RECORD = columns(
  PersonalToken,
  't',
  'id',
  'name',
  'scopes',
  'last4',
  'expiresAt',
  'lastUsedAt',
  'createdAt',
);

/** A token with the slugs of the workspaces in which it may act, or null for all. */
export type PersonalTokenRow = RowOf<typeof RECORD> & { workspaces: string[] | null };

const REVOKED = columns(PersonalToken, 't', 'id', 'name', 'userId', 'workspaceIds');

export type RevokedToken = RowOf<typeof REVOKED>;

@Injectable()
export class PersonalTokensRepository {
  constructor(
    @InjectRepository(PersonalToken) private readonly tokens: Repository<PersonalToken>,
    private readonly database: Database,
  ) {}

  /** Returns when it was made. */
  async insert(token: NewPersonalToken): Promise<Date> {
    const { generatedMaps } = await this.tokens.insert(token);
    return (generatedMaps[0] as Pick<PersonalToken, 'createdAt'>).createdAt;
  }

  list(userId: string, after: string | null, count: number): Promise<PersonalTokenRow[]> {
    return this.database.query<PersonalTokenRow>(LIST, [userId, after, count]);
  }

  /** From here to the end of the surrounding transaction nobody revokes it. False: somebody has. */
  async hold(id: string): Promise<boolean> {
    return (await this.database.execute(HOLD, [id])).count === 1;
  }

  /** Returns how many there were. */
  async revokeAllOf(userId: string): Promise<number> {
    return (await this.tokens.update({ userId, revokedAt: IsNull() }, { revokedAt: NOW })).affected!;
  }

  /** null: the person has no such token, or it is revoked already. */
  revoke(id: string, userId: string): Promise<RevokedToken | null> {
    return this.database.one<RevokedToken>(REVOKE, [id, userId]);
  }
}

const HOLD = 'SELECT FROM personal_tokens WHERE id = $1 AND revoked_at IS NULL FOR SHARE';

/** A token may name a thousand workspaces, whose slugs are part of it. */
const LIST = boundedPage({
  candidates: `
    SELECT t.id, 1000 + 66 * coalesce(cardinality(t.workspace_ids), 0) AS bytes FROM personal_tokens t
    WHERE t.user_id = $1 AND t.revoked_at IS NULL AND t.id < coalesce($2, '~') ORDER BY t.id DESC LIMIT $3`,
  columns: `${RECORD}, CASE WHEN t.workspace_ids IS NOT NULL THEN ARRAY(
      SELECT w.slug FROM workspaces w WHERE w.id = ANY (t.workspace_ids) AND w.deleted_at IS NULL ORDER BY w.slug
    ) END AS workspaces`,
  tables: 'FROM page JOIN personal_tokens t ON t.id = page.id',
});

const REVOKE = `
  UPDATE personal_tokens t SET revoked_at = now() WHERE t.id = $1 AND t.user_id = $2 AND t.revoked_at IS NULL
  RETURNING ${REVOKED}`;
