import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import {
  columns,
  Database,
  inSeconds,
  isPast,
  newestFirst,
  NOW,
  type RowOf,
} from '../core/database/index.js';
import { Expires } from '../core/work/index.js';
import { AgentAccessToken } from './agent-access-token.entity.js';
import { AgentGrant } from './agent-grant.entity.js';

export type NewGrant = Omit<
  AgentGrant,
  'workspace' | 'environment' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'
>;

/** A grant with the names of where it acts. */
export type PlacedGrant = AgentGrant & Required<Pick<AgentGrant, 'workspace' | 'environment'>>;

const LIVE = columns(AgentGrant, 'g', 'id', 'userId', 'workspaceId', 'clientId', 'scopes', 'createdAt');
export type LiveGrant = RowOf<typeof LIVE>;

const ENDED = columns(AgentGrant, 'g', 'id', 'userId', 'workspaceId', 'appName');
export type EndedGrant = RowOf<typeof ENDED>;

@Injectable()
export class AgentGrantsRepository {
  constructor(
    @InjectRepository(AgentGrant) private readonly grants: Repository<AgentGrant>,
    @InjectRepository(AgentAccessToken) private readonly tokens: Repository<AgentAccessToken>,
    private readonly database: Database,
  ) {}

  async insert(grant: NewGrant, seconds: number): Promise<void> {
    await this.grants.insert({ ...grant, expiresAt: inSeconds(seconds) });
  }

  /** null: it was revoked or has expired, or its person, workspace or environment is gone. */
  findLive(id: string): Promise<LiveGrant | null> {
    return this.database.one<LiveGrant>(FIND_LIVE, [id]);
  }

  /** Those of a person that may still act, newest first. */
  async listOf(userId: string, after: string | null, count: number): Promise<PlacedGrant[]> {
    const query = this.grants
      .createQueryBuilder('g')
      .innerJoin('g.workspace', 'w', 'w.deletedAt IS NULL')
      .addSelect(['w.id', 'w.slug', 'w.name'])
      .leftJoin('g.environment', 'e')
      .addSelect(['e.id', 'e.name'])
      .where({ userId, revokedAt: IsNull() })
      .andWhere('(g.expiresAt IS NULL OR g.expiresAt > now())')
      .andWhere('(g.environmentId IS NULL OR e.deletedAt IS NULL)');
    return (await newestFirst(query, after, count).getMany()) as PlacedGrant[];
  }

  /** Whether an app may act for the person, in whichever workspace. */
  async isConnected(userId: string, clientId: string): Promise<boolean> {
    return (await this.database.one(FIND_CONNECTED, [userId, clientId])) !== null;
  }

  /** From here to the end of the surrounding transaction nobody revokes it. False: somebody has. */
  async hold(id: string): Promise<boolean> {
    return (await this.database.execute(HOLD, [id])).count === 1;
  }

  /** A token of a grant that has ended is not stored. */
  async insertAccessToken(hash: Buffer, grantId: string, seconds: number): Promise<void> {
    await this.database.execute(INSERT_ACCESS_TOKEN, [grantId, seconds, hash]);
  }

  async prolong(id: string, seconds: number): Promise<void> {
    await this.database.execute(PROLONG, [id, seconds]);
  }

  async grantOfToken(hash: Buffer): Promise<string | null> {
    return (await this.tokens.findOneBy({ hash }))?.grantId ?? null;
  }

  async deleteToken(hash: Buffer): Promise<void> {
    await this.tokens.delete({ hash });
  }

  async deleteTokensOf(grantId: string): Promise<void> {
    await this.tokens.delete({ grantId });
  }

  /** null: there is no such grant of that person (of anybody: null) any more. */
  end(id: string, userId: string | null): Promise<EndedGrant | null> {
    return this.database.one<EndedGrant>(END, [id, userId]);
  }

  async revokeOf(userId: string, workspaceId: string): Promise<void> {
    await this.grants.update({ userId, workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }

  /** Returns how many there were. */
  async revokeAllOf(userId: string): Promise<number> {
    return (await this.grants.update({ userId, revokedAt: IsNull() }, { revokedAt: NOW })).affected!;
  }

  async revokeAllIn(workspaceId: string): Promise<void> {
    await this.grants.update({ workspaceId, revokedAt: IsNull() }, { revokedAt: NOW });
  }

  /** Expired tokens open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpiredTokens(): Promise<number> {
    return (await this.tokens.delete({ expiresAt: isPast() })).affected!;
  }
}

const FIND_LIVE = `
  SELECT ${LIVE} FROM agent_grants g
    JOIN workspaces w ON w.id = g.workspace_id AND w.deleted_at IS NULL
    JOIN memberships m ON m.workspace_id = g.workspace_id AND m.user_id = g.user_id
    LEFT JOIN environments e ON e.id = g.environment_id
  WHERE g.id = $1 AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())
    AND (g.environment_id IS NULL OR e.deleted_at IS NULL)`;

const FIND_CONNECTED = `
  SELECT g.id FROM agent_grants g
  WHERE g.user_id = $1 AND g.client_id = $2 AND g.revoked_at IS NULL
    AND (g.expires_at IS NULL OR g.expires_at > now()) LIMIT 1`;

const HOLD = 'SELECT FROM agent_grants WHERE id = $1 AND revoked_at IS NULL FOR SHARE';

/** $1 grant, $2 seconds. A grant without an end keeps none. */
const PROLONG = `
  UPDATE agent_grants SET expires_at = CASE WHEN expires_at IS NOT NULL
    THEN GREATEST(expires_at, now() + make_interval(secs => $2)) END
  WHERE id = $1 AND revoked_at IS NULL`;

const INSERT_ACCESS_TOKEN = `
  WITH alive AS (${PROLONG} RETURNING id)
  INSERT INTO agent_access_tokens (hash, grant_id, expires_at)
  SELECT $3, id, now() + make_interval(secs => $2) FROM alive`;

const END = `
  UPDATE agent_grants g SET revoked_at = now()
  WHERE g.id = $1 AND g.revoked_at IS NULL AND ($2::text IS NULL OR g.user_id = $2) RETURNING ${ENDED}`;
