import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type AskingRun, LOCK_ASKING, UNNEEDED } from './questions.sql.js';

/** What the runs know of the requests that people are asked about. */
@Injectable()
export class QuestionsRepository {
  constructor(private readonly database: Database) {}

  /** Locks the run until the transaction ends. null: this attempt of it is over, or being cancelled. */
  lock(runId: string, attempt: number): Promise<AskingRun | null> {
    return this.database.one<AskingRun>(LOCK_ASKING, [runId, attempt]);
  }

  /** Those whose attempt is over. */
  async unneeded(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(UNNEEDED);
    return rows.map(({ id }) => id);
  }
}
