import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

export interface SealedRow {
  id: string;
  sealed: Buffer;
}

@Injectable()
export class MasterKeyRotationRepository {
  constructor(private readonly database: Database) {}

  /** The roles of the processes that work on this database, one entry for each. */
  async liveRoles(): Promise<string[]> {
    const rows = await this.database.query<{ role: string }>(
      `SELECT role FROM instances WHERE seen_at > now() - interval '40 seconds' ORDER BY started_at`,
    );
    return rows.map(({ role }) => role);
  }

  /** Mail that waits to be sent, sealed by the master key. */
  waitingMails(): Promise<SealedRow[]> {
    return this.database.query<SealedRow>('SELECT id, message AS sealed FROM mails FOR UPDATE');
  }

  async replaceMails(rows: SealedRow[]): Promise<void> {
    await this.database.execute(
      `UPDATE mails m SET message = r.sealed FROM unnest($1::text[], $2::bytea[]) AS r (id, sealed) WHERE m.id = r.id`,
      [rows.map(({ id }) => id), rows.map(({ sealed }) => sealed)],
    );
  }

  /**
   * Answers that were kept for `Idempotency-Key`s are sealed by the master key. Their keys stay, so that no request is
   * carried out a second time; none can be replayed either, since keys are bound to requests by the master key too.
   */
  async dropKeptAnswers(): Promise<void> {
    await this.database.execute('UPDATE idempotency_keys SET body = NULL WHERE body IS NOT NULL');
  }
}
