import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { type Expired, Expires } from '../core/work/index.js';
import { PlanLimits } from '../usage/index.js';
import { DELETE_RUNS } from './run-expiry.sql.js';

const DAY_MS = 86_400_000;
/** A run takes its log and files with it. */
const BATCH = 100;

@Injectable()
export class RunExpiryRepository {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanLimits,
  ) {}

  /** Finished runs with their logs and files; the bytes of the files go when nothing else refers to them. */
  @Expires({ batch: BATCH })
  async deleteOld({ most }: Expired): Promise<number> {
    const kept = Object.entries(this.plans.daysKept('runs')).map(([plan, days]) => {
      const before = firstIdAt('run', new Date(Date.now() - days * DAY_MS));
      return [plan, { days, before }] as const;
    });
    const parameters = [JSON.stringify(Object.fromEntries(kept)), most];
    return (await this.database.execute(DELETE_RUNS, parameters)).count;
  }
}
