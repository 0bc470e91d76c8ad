import type { TrailingInsert } from '../core/database/index.js';
import { countUsage, limitIn, runSecondsUsedUp } from './usage.sql.js';

/** $1 workspace. One reading of the period, the counts and the members: the moment at which a period begins is computed. */
export const FIND_USAGE = `
  SELECT w.plan, w.created_at AS "createdAt", p.start AS "periodStart",
    (SELECT count(*) FROM memberships m WHERE m.workspace_id = w.id) AS members,
    COALESCE((SELECT json_object_agg(c.meter, c.used) FROM usage_counters c
              WHERE c.workspace_id = w.id AND c.period_start IN (p.start, 'epoch')), '{}') AS used
  FROM workspaces w CROSS JOIN LATERAL (SELECT usage_period_start(w.created_at, now()) AS start) AS p
  WHERE w.id = $1`;

/** $1 workspace, $2 meter, $3 amount, $4 limits. Comparing and counting are one step, so that nobody takes the same last place. */
export const CONSUME_USAGE = `
  WITH account AS (
    SELECT w.id, usage_period_start(w.created_at, now()) AS period, ${limitIn('$4', 'w.plan')} AS most
    FROM workspaces w WHERE w.id = $1
  )
  INSERT INTO usage_counters AS u (workspace_id, meter, period_start, used)
  SELECT id, $2::text, period, $3::bigint FROM account WHERE COALESCE($3::bigint <= most, true)
  ON CONFLICT (workspace_id, meter, period_start) DO UPDATE SET used = u.used + excluded.used
    WHERE COALESCE(u.used + excluded.used <= (SELECT most FROM account), true)`;

/** Written with the other rows that a transaction writes last, on the way of each event. */
export const countGiven: TrailingInsert = (parameter) =>
  countUsage(
    `SELECT "workspaceId", meter, amount
     FROM json_to_recordset(${parameter}::json) AS given("workspaceId" text, meter text, amount bigint)`,
  );

/** $1 workspace, $2 meter, $3 amount: an upsert of the present period, which the database computes. */
export const COUNT_USAGE = countUsage('SELECT $1::text, $2::text, $3::bigint');

/** $1 meter, $2 workspaces, $3 limits, $4 limits of run seconds. Thousands of runs or deliveries are admitted at once. */
export const ADMIT_USAGE = `
  WITH account AS (
    SELECT w.id, a.wanted, ${limitIn('$3', 'w.plan')} AS most,
      $1::text = 'runs' AND COALESCE(${runSecondsUsedUp('w.id', 'p.period', limitIn('$4', 'w.plan'))}, false) AS used_up
    FROM (SELECT id, count(*) AS wanted FROM unnest($2::text[]) AS id GROUP BY id) AS a
      JOIN workspaces w ON w.id = a.id
      CROSS JOIN LATERAL (SELECT usage_period_start(w.created_at, now()) AS period) AS p
  ), counted AS (${countUsage('SELECT id, $1::text, wanted FROM account WHERE NOT used_up')})
  SELECT a.id AS "workspaceId", a.wanted, a.most AS limit, c.used
  FROM account a LEFT JOIN counted c ON c.workspace_id = a.id`;
