import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { type Expired, Expires } from '../core/work/index.js';
import { PlanLimits } from '../usage/index.js';
import { DELETE_RUNS } from './run-expiry.sql.js';
import { Run } from './run.entity.js';

const DAY_MS = 86_400_000;
/** A run takes its log and files with it. */
const BATCH = 200;

/** The id before which runs were asked for that long ago. */
const idBefore = (days: number): string => firstIdAt('run', new Date(Date.now() - days * DAY_MS));

@Injectable()
export class RunExpiryRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
    private readonly plans: PlanLimits,
  ) {}

  /**
   * Finished runs with their logs and files; the bytes of the files go when nothing else refers to them. What a script says
   * only shortens what the plan says.
   */
  @Expires({ batch: BATCH })
  async deleteOld({ most }: Expired): Promise<number> {
    const kept = Object.entries(this.plans.daysKept('runs')).map(
      ([plan, days]) => [plan, { days, before: idBefore(days) }] as const,
    );
    const byScripts = (await this.daysOfScripts()).map((days) => [days, idBefore(days)] as const);
    const parameters = [
      JSON.stringify(Object.fromEntries(kept)),
      most,
      JSON.stringify(Object.fromEntries(byScripts)),
    ];
    return (await this.database.execute(DELETE_RUNS, parameters)).count;
  }

  /** For how many days scripts keep their runs that say so, each number once. */
  private async daysOfScripts(): Promise<number[]> {
    const rows = await this.runs.manager
      .createQueryBuilder('Script', 's')
      .select(`DISTINCT (s.retention ->> 'runs')::int`, 'days')
      .where('s.retention IS NOT NULL')
      .getRawMany<{ days: number }>();
    return rows.map(({ days }) => days);
  }
}
