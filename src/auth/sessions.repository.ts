import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';

import { Database, isAhead, isPast, newestFirst, NOW } from '../core/database/index.js';
import { Expires } from '../core/work/index.js';
import { Session } from './session.entity.js';
import { INSERT_PROVEN_SESSION, INSERT_SESSION, RECORD_USE } from './sessions.sql.js';

/** How the person stood when they showed who they are: a session is opened only if that is still so. */
export interface AccountState {
  passwordHash: string;
  /** Whether the account has a second factor, which has been shown then. */
  secondFactor: boolean;
}

export type NewSession = Pick<Session, 'id' | 'hash' | 'userId' | 'address' | 'userAgent'>;

@Injectable()
export class SessionsRepository {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly database: Database,
  ) {}

  /** False: the account's state is another by now, or it is disabled. */
  insert(session: NewSession, state: AccountState, seconds: number): Promise<boolean> {
    const { passwordHash, secondFactor } = state;
    return this.insertBy(INSERT_SESSION, session, passwordHash, seconds, secondFactor);
  }

  /** For somebody who has proved who they are elsewhere. `provenAt`: when; null where that is not known. */
  insertProven(session: NewSession, provenAt: Date | null, seconds: number): Promise<boolean> {
    return this.insertBy(INSERT_PROVEN_SESSION, session, provenAt, seconds);
  }

  list(userId: string, after: string | null, count: number): Promise<Session[]> {
    const open = this.sessions
      .createQueryBuilder('session')
      .where('session.userId = :userId AND session.expiresAt > now()', { userId });
    return newestFirst(open, after, count).getMany();
  }

  /** The person has given their password just now. False: it is not `passwordHash` any more. */
  async confirm(id: string, passwordHash: string): Promise<boolean> {
    const { affected } = await this.sessions
      .createQueryBuilder()
      .update()
      .set({ confirmedAt: NOW })
      .where({ id })
      .andWhere(
        `EXISTS (SELECT FROM users u WHERE u.id = sessions.user_id AND u.password_hash = :passwordHash)`,
        {
          passwordHash,
        },
      )
      .execute();
    return affected === 1;
  }

  /** The person has just shown a passkey, and who they are by it. False: the session has ended. */
  async confirmProven(id: string): Promise<boolean> {
    return (await this.sessions.update({ id }, { confirmedAt: NOW })).affected === 1;
  }

  /** Addresses by the sessions' ids. */
  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.database.execute(RECORD_USE, [[...addresses.keys()], [...addresses.values()]]);
  }

  async deleteByHash(hash: Buffer): Promise<void> {
    await this.sessions.delete({ hash });
  }

  /** False: the person has no such session. */
  async delete(userId: string, id: string): Promise<boolean> {
    return (await this.sessions.delete({ userId, id })).affected === 1;
  }

  /** Returns how many there were. */
  async deleteOthers(userId: string, keptId: string): Promise<number> {
    return (await this.sessions.delete({ userId, id: Not(keptId) })).affected!;
  }

  /** Returns how many there were. */
  async deleteAll(userId: string): Promise<number> {
    return (await this.sessions.delete({ userId })).affected!;
  }

  /** From here to the end of the surrounding transaction nobody ends it. False: it has ended. */
  async hold(id: string): Promise<boolean> {
    const lock = { mode: 'for_key_share' } as const;
    return (await this.sessions.findOne({ where: { id, expiresAt: isAhead() }, lock })) !== null;
  }

  /** Expired sessions open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.sessions.delete({ expiresAt: isPast() })).affected!;
  }

  private async insertBy(
    statement: string,
    { id, hash, userId, address, userAgent }: NewSession,
    proof: string | Date | null,
    seconds: number,
    ...more: unknown[]
  ): Promise<boolean> {
    const parameters = [id, hash, userId, proof, address, userAgent, seconds, ...more];
    return (await this.database.execute(statement, parameters)).count === 1;
  }
}
