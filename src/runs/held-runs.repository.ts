import { Injectable } from '@nestjs/common';

import { newId } from '../core/crypto/index.js';
import { arraysOf, Database } from '../core/database/index.js';
import { Outbox } from '../core/outbox/index.js';
import { CANCEL, type HeldRun, LOCK, RELEASE } from './held-runs.sql.js';

/** A run's side of an approval: it is held until somebody decides. */
@Injectable()
export class HeldRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Locks it until the transaction ends, so that it is neither decided twice nor cancelled meanwhile. */
  lock(id: string): Promise<HeldRun | null> {
    return this.database.one<HeldRun>(LOCK, [id]);
  }

  /** Lets workers take it. */
  async release(id: string): Promise<void> {
    await this.database.execute(RELEASE, [id, newId('event')]);
    this.outbox.wake();
  }

  /** Cancels those that are still held, each with a reason. */
  async cancel(runs: readonly { id: string; reason: string }[]): Promise<void> {
    const cancelled = runs.map((run) => ({ ...run, eventId: newId('event') }));
    await this.database.execute(CANCEL, arraysOf(cancelled, 'id', 'eventId', 'reason'));
    this.outbox.wake();
  }
}
