import type { CountedMeter } from './meters.js';

const COUNTERS = 'usage_counters AS u (workspace_id, meter, period_start, used)';
const KEY = '(workspace_id, meter, period_start)';

/**
 * A plan's limit of a meter as an expression, null for none.
 *
 * @param limits the parameter that holds `Plans.limitsOf(meter)`
 * @param plan an expression
 */
export const limitIn = (limits: string, plan: string): string =>
  `(COALESCE(${limits}::jsonb -> ${plan}, ${limits}::jsonb -> 'default') #>> '{}')::bigint`;

/**
 * Counts one start of a run, for use within a larger statement: returns a row with `workspace_id`, or none where a limit
 * does not allow it. Taking it up to the limit and counting it are one.
 *
 * @param parameters the places of the workspace's id and of `Plans.limitsOf` for `runs` and for `run_seconds`
 */
export const admitRun = ({
  workspace,
  runs,
  seconds,
}: Record<'workspace' | 'runs' | 'seconds', string>): string => `
  WITH account AS (
    SELECT w.id, p.period, ${limitIn(runs, 'w.plan')} AS most,
      COALESCE(${usedUp('w.id', 'p.period', limitIn(seconds, 'w.plan'))}, false) AS used_up
    FROM workspaces w CROSS JOIN LATERAL (SELECT usage_period_start(w.created_at, now()) AS period) AS p
    WHERE w.id = ${workspace}
  )
  INSERT INTO ${COUNTERS}
  SELECT id, 'runs', period, 1 FROM account WHERE NOT used_up AND COALESCE(most > 0, true)
  ON CONFLICT ${KEY} DO UPDATE SET used = u.used + excluded.used
    WHERE COALESCE(u.used + excluded.used <= (SELECT most FROM account), true)
  RETURNING workspace_id`;

/** Whether the run seconds of a period have reached a limit; null where there is none. */
export const usedUp = (workspace: string, period: string, limit: string): string => `
  COALESCE((SELECT s.used FROM usage_counters s
            WHERE s.workspace_id = ${workspace} AND s.meter = 'run_seconds' AND s.period_start = ${period}), 0) >= ${limit}`;

/**
 * Counts, whatever the limits, for use within a larger statement. Returns `workspace_id`, `meter` and `used`.
 *
 * @param rows a query for workspace, meter and amount
 */
export const count = (rows: string): string => `
  INSERT INTO ${COUNTERS}
  SELECT c.workspace_id, c.meter, usage_period_start(w.created_at, now()), sum(c.amount)
  FROM (${rows}) AS c (workspace_id, meter, amount) JOIN workspaces w ON w.id = c.workspace_id
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ${KEY} DO UPDATE SET used = u.used + excluded.used
  RETURNING workspace_id, meter, used`;

/** The seconds that a run took, rounded up, of a relation with the columns of `runs`. */
export const countRunSeconds = (runs: string): string =>
  count(
    `SELECT workspace_id, '${'run_seconds' satisfies CountedMeter}', ceil(duration_ms / 1000.0)::bigint
     FROM ${runs} WHERE duration_ms > 0`,
  );
