import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { FORGET, TICK } from './lease-clock.sql.js';
import { Loop } from './loop.decorator.js';

const TICK_EVERY_MS = 2_000;

/**
 * The time in which leases could be renewed: the seconds in which some process reached the database, counted by all of
 * them together and kept there. It stands still while the database is away or every process is suspended, and goes on
 * where the next process takes over from one that was killed.
 */
@Injectable()
export class LeaseClock {
  constructor(private readonly database: Database) {}

  /** Says that the database can be reached. Every process does this. */
  @Loop({ every: TICK_EVERY_MS, stage: 'holding' })
  async tick(): Promise<void> {
    await this.database.execute(TICK);
    await this.database.execute(FORGET);
  }
}

/** How long a worker has a row without renewing its lease. */
export const LEASE = `interval '20 seconds'`;

/** Condition on a row with such a lease: that long was the database reached, and the lease was not renewed. */
export const LEASE_IS_LOST = `lease_until < ${LEASE} + (
  SELECT at FROM lease_clock WHERE seconds <= (SELECT max(seconds) FROM lease_clock) - 20 ORDER BY at DESC LIMIT 1)`;
