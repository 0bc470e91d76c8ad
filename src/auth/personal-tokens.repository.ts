import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, type Repository } from 'typeorm';

import { Database, NOW, returnedRow } from '../core/database/index.js';
import { PersonalToken } from './personal-token.entity.js';
import { LIST_PERSONAL_TOKENS, type PersonalTokenRow } from './personal-tokens.sql.js';

export type NewPersonalToken = Omit<PersonalToken, 'lastUsedAt' | 'revokedAt' | 'createdAt'>;

export type RevokedToken = Pick<PersonalToken, 'id' | 'name' | 'userId' | 'workspaceIds'>;

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
    return this.database.query<PersonalTokenRow>(LIST_PERSONAL_TOKENS, [userId, after, count]);
  }

  /** From here to the end of the surrounding transaction nobody revokes it. False: somebody has. */
  async hold(id: string): Promise<boolean> {
    const lock = { mode: 'pessimistic_read' } as const;
    return (await this.tokens.findOne({ where: { id, revokedAt: IsNull() }, lock })) !== null;
  }

  async recordUse(ids: readonly string[]): Promise<void> {
    await this.tokens.update({ id: Any([...ids]) }, { lastUsedAt: NOW });
  }

  /** Returns how many there were. */
  async revokeAllOf(userId: string): Promise<number> {
    return (await this.tokens.update({ userId, revokedAt: IsNull() }, { revokedAt: NOW })).affected!;
  }

  /** null: the person has no such token, or it is revoked already. */
  revoke(id: string, userId: string): Promise<RevokedToken | null> {
    const going = { id, userId, revokedAt: IsNull() };
    const revoking = this.tokens.createQueryBuilder().update().set({ revokedAt: NOW }).where(going);
    return returnedRow(revoking, 'id', 'name', 'userId', 'workspaceIds');
  }
}
