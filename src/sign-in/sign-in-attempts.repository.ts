import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import { type Expired, Expires } from '../core/work/index.js';
import type { SignInAttempt } from './sign-in-attempt.entity.js';

@Injectable()
export class SignInAttemptsRepository {
  constructor(private readonly database: Database) {}

  async insert({ hash, way, next }: Omit<SignInAttempt, 'expiresAt'>, seconds: number): Promise<void> {
    await this.database.execute(INSERT, [hash, way, next, seconds]);
  }

  /** Uses it up. null: there is none, it is used or too old. Returns the page to go on to. */
  async take(hash: Buffer, way: string): Promise<string | null> {
    return (await this.database.one<{ next: string }>(TAKE, [hash, way]))?.next ?? null;
  }

  @Expires()
  async deleteExpired({ most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_EXPIRED, [most])).count;
  }
}

const INSERT = `
  INSERT INTO sign_in_attempts (hash, way, next, expires_at)
  VALUES ($1, $2, $3, now() + make_interval(secs => $4))`;

const TAKE =
  'DELETE FROM sign_in_attempts WHERE hash = $1 AND way = $2 AND expires_at > now() RETURNING next';

const DELETE_EXPIRED = `
  DELETE FROM sign_in_attempts WHERE hash IN (
    SELECT hash FROM sign_in_attempts WHERE expires_at <= now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`;
