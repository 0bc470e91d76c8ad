import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import { Expires } from '../core/work/expires.decorator.js';

export interface NewSession {
  id: string;
  hash: Buffer;
  userId: string;
  address: string;
  userAgent: string | null;
}

export interface SessionRow {
  id: string;
  /** From where it was last used. */
  address: string | null;
  /** Of the browser that signed in. */
  userAgent: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** False: the password has changed since it was compared. The lock lets a change that is under way finish first. */
  async insert(session: NewSession, passwordHash: string, seconds: number): Promise<boolean> {
    const { id, hash, userId, address, userAgent } = session;
    const { count } = await this.database.execute(
      `INSERT INTO sessions (id, hash, user_id, address, user_agent, expires_at)
       SELECT $1, $2::bytea, id, $5, $6, now() + $7::integer * interval '1 second' FROM users
       WHERE id = $3 AND password_hash = $4 FOR SHARE`,
      [id, hash, userId, passwordHash, address, userAgent, seconds],
    );
    return count === 1;
  }

  list(userId: string, after: string | null, count: number): Promise<SessionRow[]> {
    return this.database.query<SessionRow>(
      `SELECT id, address, user_agent AS "userAgent", created_at AS "createdAt", last_used_at AS "lastUsedAt",
         expires_at AS "expiresAt"
       FROM sessions WHERE user_id = $1 AND expires_at > now() AND id < coalesce($2, '~') ORDER BY id DESC LIMIT $3`,
      [userId, after, count],
    );
  }

  /** False: the password is not `passwordHash` any more. */
  async confirm(id: string, passwordHash: string): Promise<boolean> {
    const { count } = await this.database.execute(
      `UPDATE sessions s SET confirmed_at = now() FROM users u
       WHERE s.id = $1 AND u.id = s.user_id AND u.password_hash = $2`,
      [id, passwordHash],
    );
    return count === 1;
  }

  async deleteByHash(hash: Buffer): Promise<void> {
    await this.database.execute('DELETE FROM sessions WHERE hash = $1', [hash]);
  }

  /** False: the person has no such session. */
  async delete(userId: string, id: string): Promise<boolean> {
    const { count } = await this.database.execute('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [
      userId,
      id,
    ]);
    return count === 1;
  }

  /** Returns how many there were. */
  async deleteOthers(userId: string, keptId: string): Promise<number> {
    const { count } = await this.database.execute('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [
      userId,
      keptId,
    ]);
    return count;
  }

  async deleteAll(userId: string): Promise<void> {
    await this.database.execute('DELETE FROM sessions WHERE user_id = $1', [userId]);
  }

  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.database.execute('DELETE FROM sessions WHERE expires_at < now()')).count;
  }
}
