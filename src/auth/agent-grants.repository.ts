import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, type Repository } from 'typeorm';

import { Database, inSeconds, isPast, newestFirst, NOW, returnedRow } from '../core/database/index.js';
import { Expires } from '../core/work/index.js';
import { AgentAccessToken } from './agent-access-token.entity.js';
import { AgentGrant } from './agent-grant.entity.js';
import { INSERT_ACCESS_TOKEN } from './agent-grants.sql.js';

export type NewGrant = Omit<
  AgentGrant,
  'workspace' | 'environment' | 'budget' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'
>;

/** A grant with the names of where it acts. */
export type PlacedGrant = AgentGrant & Required<Pick<AgentGrant, 'workspace' | 'environment'>>;

export type EndedGrant = Pick<AgentGrant, 'id' | 'userId' | 'workspaceId' | 'appName'>;

const NOT_EXPIRED = '(g.expiresAt IS NULL OR g.expiresAt > now())';
const IN_ENVIRONMENT = '(g.environmentId IS NULL OR e.deletedAt IS NULL)';

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
  findLive(id: string): Promise<AgentGrant | null> {
    return this.grants
      .createQueryBuilder('g')
      .innerJoin('g.workspace', 'w', 'w.deletedAt IS NULL')
      .innerJoin('Membership', 'm', 'm.workspaceId = g.workspaceId AND m.userId = g.userId')
      .leftJoin('g.environment', 'e')
      .where({ id, revokedAt: IsNull() })
      .andWhere(NOT_EXPIRED)
      .andWhere(IN_ENVIRONMENT)
      .getOne();
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
      .andWhere(NOT_EXPIRED)
      .andWhere(IN_ENVIRONMENT);
    return (await newestFirst(query, after, count).getMany()) as PlacedGrant[];
  }

  /** Whether an app may act for the person, in whichever workspace. */
  isConnected(userId: string, clientId: string): Promise<boolean> {
    return this.grants
      .createQueryBuilder('g')
      .where({ userId, clientId, revokedAt: IsNull() })
      .andWhere(NOT_EXPIRED)
      .getExists();
  }

  /** From here to the end of the surrounding transaction nobody revokes it. False: somebody has. */
  async hold(id: string): Promise<boolean> {
    const lock = { mode: 'pessimistic_read' } as const;
    return (await this.grants.findOne({ where: { id, revokedAt: IsNull() }, lock })) !== null;
  }

  /** A token of a grant that has ended is not stored. */
  async insertAccessToken(hash: Buffer, grantId: string, seconds: number): Promise<void> {
    await this.database.execute(INSERT_ACCESS_TOKEN, [grantId, seconds, hash]);
  }

  /** A grant without an end keeps none. */
  async prolong(id: string, seconds: number): Promise<void> {
    await this.grants
      .createQueryBuilder()
      .update()
      .set({ expiresAt: () => 'GREATEST(expires_at, now() + make_interval(secs => :seconds))' })
      .where({ id, revokedAt: IsNull(), expiresAt: Not(IsNull()) })
      .setParameters({ seconds })
      .execute();
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
    const going = { id, revokedAt: IsNull(), ...(userId !== null && { userId }) };
    const ending = this.grants.createQueryBuilder().update().set({ revokedAt: NOW }).where(going);
    return returnedRow(ending, 'id', 'userId', 'workspaceId', 'appName');
  }

  /** Those that have not been revoked. */
  async idsOfClient(clientId: string): Promise<string[]> {
    const found = await this.grants.find({ select: { id: true }, where: { clientId, revokedAt: IsNull() } });
    return found.map(({ id }) => id);
  }

  /** null: there is no such grant of that person any more. */
  setBudget(id: string, userId: string, budget: object | null): Promise<EndedGrant | null> {
    const mine = { id, userId, revokedAt: IsNull() };
    const setting = this.grants.createQueryBuilder().update().set({ budget }).where(mine);
    return returnedRow(setting, 'id', 'userId', 'workspaceId', 'appName');
  }

  /** null: there is no such grant of that person any more. */
  findOf(id: string, userId: string): Promise<AgentGrant | null> {
    return this.grants.findOneBy({ id, userId, revokedAt: IsNull() });
  }

  async recordUse(ids: readonly string[]): Promise<void> {
    await this.grants.update({ id: Any([...ids]) }, { lastUsedAt: NOW });
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
