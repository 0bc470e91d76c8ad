import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** False: the password has changed since it was compared. The lock lets a change that is under way finish first. */
  async insert(hash: Buffer, userId: string, passwordHash: string, seconds: number): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO sessions (hash, user_id, expires_at)
       SELECT $1::bytea, id, now() + $4::integer * interval '1 second' FROM users
       WHERE id = $2 AND password_hash = $3 FOR SHARE`,
      [hash, userId, passwordHash, seconds],
    );
    return count === 1;
  }

  async delete(hash: Buffer): Promise<void> {
    await this.database.execute('DELETE FROM sessions WHERE hash = $1', [hash]);
  }

  async deleteOthers(userId: string, kept: Buffer): Promise<void> {
    await this.database.execute('DELETE FROM sessions WHERE user_id = $1 AND hash <> $2', [userId, kept]);
  }

  async deleteAll(userId: string): Promise<void> {
    await this.database.execute('DELETE FROM sessions WHERE user_id = $1', [userId]);
  }

  async deleteExpired(): Promise<void> {
    await this.database.execute('DELETE FROM sessions WHERE expires_at < now()');
  }
}
