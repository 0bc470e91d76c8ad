import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { Database, NOW, returnedRow } from '../core/database/index.js';
import { claimEnding, type EndingCredentials } from './credential-expiry.js';
import { PersonalToken } from './personal-token.entity.js';
import { LIST_PERSONAL_TOKENS, type PersonalTokenRow } from './personal-tokens.sql.js';
import { TokensRepository } from './tokens.repository.js';

export type RevokedToken = Pick<PersonalToken, 'id' | 'name' | 'userId' | 'workspaceIds'>;

@Injectable()
export class PersonalTokensRepository extends TokensRepository<PersonalToken> {
  constructor(
    @InjectRepository(PersonalToken) tokens: Repository<PersonalToken>,
    private readonly database: Database,
  ) {
    super(tokens);
  }

  list(userId: string, after: string | null, count: number): Promise<PersonalTokenRow[]> {
    return this.database.query<PersonalTokenRow>(LIST_PERSONAL_TOKENS, [userId, after, count]);
  }

  /** From here to the end of the surrounding transaction nobody revokes it. False: somebody has. */
  async hold(id: string): Promise<boolean> {
    const lock = { mode: 'pessimistic_read' } as const;
    return (await this.tokens.findOne({ where: { id, revokedAt: IsNull() }, lock })) !== null;
  }

  /** Takes tokens that end soon, all that a person has, and marks that they are told. To be called in a transaction. */
  claimEnding(): Promise<(Pick<PersonalToken, 'userId'> & EndingCredentials)[]> {
    return claimEnding(this.tokens, 'userId');
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
