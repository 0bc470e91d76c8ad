import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';

import { Database, isPast, newestFirst } from '../core/database/index.js';
import { Expires } from '../core/work/index.js';
import { Session } from './session.entity.js';

export type NewSession = Pick<Session, 'id' | 'hash' | 'userId' | 'address' | 'userAgent'>;

@Injectable()
export class SessionsRepository {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly database: Database,
  ) {}

  /** False: the password has changed since it was compared. */
  async insert(session: NewSession, passwordHash: string, seconds: number): Promise<boolean> {
    const { id, hash, userId, address, userAgent } = session;
    const parameters = [id, hash, userId, passwordHash, address, userAgent, seconds];
    return (await this.database.execute(INSERT, parameters)).count === 1;
  }

  /** For somebody who has proved who they are elsewhere. `provenAt`: when; null where that is not known. */
  async insertProven(session: NewSession, provenAt: Date | null, seconds: number): Promise<void> {
    const { id, hash, userId, address, userAgent } = session;
    await this.database.execute(INSERT_PROVEN, [id, hash, userId, provenAt, address, userAgent, seconds]);
  }

  list(userId: string, after: string | null, count: number): Promise<Session[]> {
    const open = this.sessions
      .createQueryBuilder('session')
      .where('session.userId = :userId AND session.expiresAt > now()', { userId });
    return newestFirst(open, after, count).getMany();
  }

  /** The person has given their password just now. False: it is not `passwordHash` any more. */
  async confirm(id: string, passwordHash: string): Promise<boolean> {
    return (await this.database.execute(CONFIRM, [id, passwordHash])).count === 1;
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
    return (await this.database.execute(HOLD, [id])).count === 1;
  }

  /** Expired sessions open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.sessions.delete({ expiresAt: isPast() })).affected!;
  }
}

/** The lock lets a change of the password that is under way finish first. */
const INSERT = `
  INSERT INTO sessions (id, hash, user_id, address, user_agent, expires_at)
  SELECT $1, $2::bytea, id, $5, $6, now() + $7::integer * interval '1 second' FROM users
  WHERE id = $3 AND password_hash = $4 FOR SHARE`;

/** What was proved at an unknown moment confirms nothing. */
const INSERT_PROVEN = `
  INSERT INTO sessions (id, hash, user_id, address, user_agent, expires_at, confirmed_at)
  VALUES ($1, $2::bytea, $3, $5, $6, now() + $7::integer * interval '1 second',
    least(now(), coalesce($4::timestamptz, 'epoch')))`;

const HOLD = 'SELECT FROM sessions WHERE id = $1 AND expires_at > now() FOR KEY SHARE';

const CONFIRM = `
  UPDATE sessions s SET confirmed_at = now() FROM users u
  WHERE s.id = $1 AND u.id = s.user_id AND u.password_hash = $2`;
