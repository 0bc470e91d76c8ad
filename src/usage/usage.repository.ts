import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import type { TrailingInsert } from '../core/database/trailing-rows.js';
import type { CountedMeter, Meter } from './meters.js';
import { countUsage, limitIn, runSecondsUsedUp } from './usage.sql.js';

export interface UsageRow {
  plan: string;
  createdAt: Date;
  periodStart: Date;
  members: number;
  used: Partial<Record<Meter, number>>;
}

export interface Amount {
  workspaceId: string;
  meter: CountedMeter;
  amount: number;
}

/** What was counted for a workspace before it is compared with the limit. */
export interface Admission {
  workspaceId: string;
  wanted: number;
  /** null: there is none. */
  limit: number | null;
  /** With what was wanted. null: nothing was counted, since the run seconds are used up. */
  used: number | null;
}

@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  find(workspaceId: string): Promise<UsageRow | null> {
    return this.database.one<UsageRow>(FIND, [workspaceId]);
  }

  /** False: it would go beyond the limit, and nothing was counted. */
  async consume({ workspaceId, meter, amount }: Amount, limits: string): Promise<boolean> {
    const { count } = await this.database.execute(CONSUME, [workspaceId, meter, amount, limits]);
    return count === 1;
  }

  /** Counts one of a meter for each mention of a workspace, and locks the counter until the transaction ends. */
  admit(
    meter: CountedMeter,
    workspaceIds: readonly string[],
    limits: string,
    secondLimits: string,
  ): Promise<Admission[]> {
    return this.database.query<Admission>(ADMIT, [meter, workspaceIds, limits, secondLimits]);
  }

  /** Counts one for each mention of a workspace, whatever the limits, at the end of the surrounding transaction. */
  async countLast(meter: CountedMeter, workspaceIds: readonly string[]): Promise<void> {
    const amounts = new Map<string, number>();
    for (const id of workspaceIds) amounts.set(id, (amounts.get(id) ?? 0) + 1);
    const rows = [...amounts].map(
      ([workspaceId, amount]) => ({ workspaceId, meter, amount }) satisfies Amount,
    );
    await this.database.insertLast(countGiven, rows);
  }

  async giveBack({ workspaceId, meter, amount }: Amount): Promise<void> {
    await this.database.execute(COUNT, [workspaceId, meter, -amount]);
  }

  async storedBytes(workspaceId: string): Promise<{ plan: string; used: number }> {
    const row = await this.database.one<{ plan: string; used: number }>(STORED_BYTES, [workspaceId]);
    return row!;
  }

  /** How many members there are. Nobody else joins until the transaction ends. */
  async lockMembers(workspaceId: string): Promise<{ plan: string; used: number }> {
    const account = await this.database.one<{ plan: string }>(
      'SELECT plan FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
      [workspaceId],
    );
    // A statement of its own, so that it sees who joined while the lock was waited for.
    const members = await this.database.one<{ used: number }>(
      'SELECT count(*) AS used FROM memberships WHERE workspace_id = $1',
      [workspaceId],
    );
    return { plan: account!.plan, used: members!.used };
  }
}

const FIND = `
  SELECT w.plan, w.created_at AS "createdAt", p.start AS "periodStart",
    (SELECT count(*) FROM memberships m WHERE m.workspace_id = w.id) AS members,
    COALESCE((SELECT json_object_agg(c.meter, c.used) FROM usage_counters c
              WHERE c.workspace_id = w.id AND c.period_start IN (p.start, 'epoch')), '{}') AS used
  FROM workspaces w CROSS JOIN LATERAL (SELECT usage_period_start(w.created_at, now()) AS start) AS p
  WHERE w.id = $1`;

const CONSUME = `
  WITH account AS (
    SELECT w.id, usage_period_start(w.created_at, now()) AS period, ${limitIn('$4', 'w.plan')} AS most
    FROM workspaces w WHERE w.id = $1
  )
  INSERT INTO usage_counters AS u (workspace_id, meter, period_start, used)
  SELECT id, $2::text, period, $3::bigint FROM account WHERE COALESCE($3::bigint <= most, true)
  ON CONFLICT (workspace_id, meter, period_start) DO UPDATE SET used = u.used + excluded.used
    WHERE COALESCE(u.used + excluded.used <= (SELECT most FROM account), true)`;

const countGiven: TrailingInsert = (parameter) =>
  countUsage(
    `SELECT "workspaceId", meter, amount
     FROM json_to_recordset(${parameter}::json) AS given("workspaceId" text, meter text, amount bigint)`,
  );

const COUNT = countUsage('SELECT $1::text, $2::text, $3::bigint');

const ADMIT = `
  WITH account AS (
    SELECT w.id, a.wanted, ${limitIn('$3', 'w.plan')} AS most,
      $1::text = 'runs' AND COALESCE(${runSecondsUsedUp('w.id', 'p.period', limitIn('$4', 'w.plan'))}, false) AS used_up
    FROM (SELECT id, count(*) AS wanted FROM unnest($2::text[]) AS id GROUP BY id) AS a
      JOIN workspaces w ON w.id = a.id
      CROSS JOIN LATERAL (SELECT usage_period_start(w.created_at, now()) AS period) AS p
  ), counted AS (${countUsage('SELECT id, $1::text, wanted FROM account WHERE NOT used_up')})
  SELECT a.id AS "workspaceId", a.wanted, a.most AS limit, c.used
  FROM account a LEFT JOIN counted c ON c.workspace_id = a.id`;

const STORED_BYTES = `
  SELECT w.plan, COALESCE(c.used, 0) AS used
  FROM workspaces w LEFT JOIN usage_counters c
    ON c.workspace_id = w.id AND c.meter = 'storage_bytes' AND c.period_start = 'epoch'
  WHERE w.id = $1`;
