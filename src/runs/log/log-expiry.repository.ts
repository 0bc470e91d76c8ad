import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { type Expired, Expires } from '../../core/work/index.js';
import { PlanLimits } from '../../usage/index.js';
import { DELETE_LOGS } from './log-expiry.sql.js';

const DAY_MS = 86_400_000;

/** Logs that are kept for less long than their runs. */
@Injectable()
export class LogExpiryRepository {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanLimits,
  ) {}

  /**
   * A day later than the days say, by when a run has ended that waited for somebody: so each is looked at once.
   *
   * @returns how many runs were looked at
   */
  @Expires()
  async deleteOld({ most }: Expired): Promise<number> {
    const [logs, runs] = [this.plans.daysKept('logs'), this.plans.daysKept('runs')];
    for (const [plan, days] of Object.entries(logs)) {
      if (days >= runs[plan]!) continue;
      const before = firstIdAt('run', new Date(Date.now() - (days + 1) * DAY_MS));
      const parameters = [plan, Object.keys(logs), days, before, most];
      const { count } = (await this.database.one<{ count: number }>(DELETE_LOGS, parameters))!;
      if (count === most) return count;
    }
    return 0;
  }
}
