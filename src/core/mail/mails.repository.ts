import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { Mail } from './mail.entity.js';

export type SealedMail = Pick<Mail, 'id' | 'message'>;

export interface ClaimedMail extends SealedMail {
  /** From 1. */
  attempt: number;
  createdAt: Date;
}

@Injectable()
export class MailsRepository {
  constructor(private readonly database: Database) {}

  async insert(mails: SealedMail[]): Promise<void> {
    await this.database.execute(
      'INSERT INTO mails (id, message) SELECT * FROM unnest($1::text[], $2::bytea[])',
      [mails.map(({ id }) => id), mails.map(({ message }) => message)],
    );
  }

  /** Leases due mails for so many seconds; those of a process that dies meanwhile become due again. */
  claim(count: number, leaseSeconds: number): Promise<ClaimedMail[]> {
    return this.database.query<ClaimedMail>(
      `UPDATE mails SET attempts = attempts + 1, due_at = now() + $2::integer * interval '1 second'
       WHERE id IN (
         SELECT id FROM mails WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, message, attempts AS attempt, created_at AS "createdAt"`,
      [count, leaseSeconds],
    );
  }

  /** Does nothing when another process has begun a later attempt. */
  async retryIn(seconds: number, { id, attempt }: ClaimedMail): Promise<void> {
    await this.database.execute(
      `UPDATE mails SET due_at = now() + $3::integer * interval '1 second' WHERE id = $1 AND attempts = $2`,
      [id, attempt, seconds],
    );
  }

  /** Nobody sends one of them until the transaction ends. */
  lockAll(): Promise<SealedMail[]> {
    return this.database.query<SealedMail>('SELECT id, message FROM mails FOR UPDATE');
  }

  async replace(mails: SealedMail[]): Promise<void> {
    await this.database.execute(
      `UPDATE mails m SET message = r.message FROM unnest($1::text[], $2::bytea[]) AS r (id, message) WHERE m.id = r.id`,
      [mails.map(({ id }) => id), mails.map(({ message }) => message)],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.execute('DELETE FROM mails WHERE id = $1', [id]);
  }
}
