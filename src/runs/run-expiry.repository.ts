import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { type Expired, Expires } from '../core/work/index.js';
import { releaseBlobsOf } from '../files/index.js';
import { Plans } from '../usage/index.js';

const DAY_MS = 86_400_000;
/** A run takes its log and files with it. */
const BATCH = 100;

@Injectable()
export class RunExpiryRepository {
  constructor(
    private readonly database: Database,
    private readonly plans: Plans,
  ) {}

  /** Finished runs with their logs and files; the bytes of the files go when nothing else refers to them. */
  @Expires({ batch: BATCH })
  async deleteOld({ most }: Expired): Promise<number> {
    const kept = Object.entries(this.plans.retentionByPlan()).map(([plan, days]) => {
      const before = firstIdAt('run', new Date(Date.now() - days * DAY_MS));
      return [plan, { days, before }] as const;
    });
    const parameters = [JSON.stringify(Object.fromEntries(kept)), most];
    return (await this.database.execute(DELETE_RUNS, parameters)).count;
  }
}

/** Ids tell when a run was asked for; its files are as old as its end, which may be a day later where it was held. */
const DELETE_RUNS = `
  WITH due AS MATERIALIZED (
    SELECT old.id FROM workspaces w
      CROSS JOIN LATERAL (SELECT COALESCE($1::jsonb -> w.plan, $1::jsonb -> 'default') AS kept) AS p
      CROSS JOIN LATERAL (
        SELECT r.id FROM runs r
        WHERE r.workspace_id = w.id AND r.id < kept ->> 'before' AND r.phase = 'finished'
          AND r.finished_at < now() - (kept ->> 'days')::int * interval '1 day'
        ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    LIMIT $2
  ), released AS (${releaseBlobsOf('due')}
  )
  DELETE FROM runs r USING due WHERE r.id = due.id`;
