import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { Loop } from './loop.decorator.js';

const TICK_EVERY_MS = 2_000;
/** Between two ticks further apart than this, nobody could reach the database, nor renew a lease. */
const MOST_SECONDS_A_TICK = 6;

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

const TICK = `
  INSERT INTO lease_clock (at, seconds)
  SELECT now(), COALESCE(last.seconds + LEAST(extract(epoch FROM now() - last.at), ${MOST_SECONDS_A_TICK}), 0)
  FROM (VALUES (1)) AS one LEFT JOIN (SELECT at, seconds FROM lease_clock ORDER BY at DESC LIMIT 1) AS last ON true
  WHERE last.at IS NULL OR last.at < now() - interval '1 second'
  ON CONFLICT DO NOTHING`;

/** What is too old to decide anything; and what a system clock that was set back has left in the future. */
const FORGET = `
  DELETE FROM lease_clock
  WHERE seconds < (SELECT max(seconds) FROM lease_clock) - 60 OR at > now() + interval '10 seconds'`;
