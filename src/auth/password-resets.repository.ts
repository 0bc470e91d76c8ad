import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import { Expires } from '../core/work/expires.decorator.js';

@Injectable()
export class PasswordResetsRepository {
  constructor(private readonly database: Database) {}

  /** False: the person has got one less than `pause` seconds ago, which is still good. */
  async insert(hash: Buffer, userId: string, seconds: number, pause: number): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO password_resets (hash, user_id, expires_at)
       SELECT $1::bytea, u.id, now() + $3::integer * interval '1 second' FROM users u
       WHERE u.id = $2 AND NOT EXISTS (
         SELECT FROM password_resets r WHERE r.user_id = u.id AND r.used_at IS NULL
           AND r.expires_at > now() + ($3::integer - $4::integer) * interval '1 second')`,
      [hash, userId, seconds, pause],
    );
    return count === 1;
  }

  /** Whose password a token may set now, or null. */
  async holder(hash: Buffer): Promise<string | null> {
    const row = await this.database.one<{ userId: string }>(
      `SELECT user_id AS "userId" FROM password_resets WHERE hash = $1 AND used_at IS NULL AND expires_at > now()`,
      [hash],
    );
    return row?.userId ?? null;
  }

  /** False: somebody was faster, or the hour is over. */
  async use(hash: Buffer): Promise<boolean> {
    const { count } = await this.database.execute(
      'UPDATE password_resets SET used_at = now() WHERE hash = $1 AND used_at IS NULL AND expires_at > now()',
      [hash],
    );
    return count === 1;
  }

  async useAll(userId: string): Promise<void> {
    await this.database.execute(
      'UPDATE password_resets SET used_at = now() WHERE user_id = $1 AND used_at IS NULL',
      [userId],
    );
  }

  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.database.execute('DELETE FROM password_resets WHERE expires_at < now()')).count;
  }
}
