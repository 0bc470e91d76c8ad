import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database } from '../database/index.js';
import { LeaseClockPeriod } from './lease-clock.entity.js';
import { TICK } from './lease-clock.sql.js';
import { Loop } from './loop.decorator.js';

const TICK_EVERY_MS = 2_000;

/**
 * The time in which leases could be renewed: the seconds in which some process reached the database. All processes
 * count it together, in the database. It stands still while the database is away or every process is suspended. The
 * next process continues the count of a killed one.
 */
@Injectable()
export class LeaseClock {
  constructor(
    @InjectRepository(LeaseClockPeriod) private readonly periods: Repository<LeaseClockPeriod>,
    private readonly database: Database,
  ) {}

  /** Says that the database can be reached. Every process does this. */
  @Loop({ every: TICK_EVERY_MS, stage: 'holding' })
  async tick(): Promise<void> {
    await this.database.execute(TICK);
    await this.forget();
  }

  /** What is too old to decide anything; and what a system clock that was set back has left in the future. */
  private async forget(): Promise<void> {
    await this.periods
      .createQueryBuilder()
      .delete()
      .where('seconds < (SELECT max(p.seconds) FROM lease_clock p) - 60')
      .orWhere(`at > now() + interval '10 seconds'`)
      .execute();
  }
}
