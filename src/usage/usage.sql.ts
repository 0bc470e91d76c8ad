import type { CountedMeter } from './meters.js';

const COLUMNS = 'AS u (workspace_id, meter, period_start, used)';
const KEY = '(workspace_id, meter, period_start)';

/**
 * A plan's limit of a meter as an expression, null for none.
 *
 * @param limits the parameter that holds `PlanLimits.limitsOf(meter)`
 * @param plan an expression
 */
export const limitIn = (limits: string, plan: string): string =>
  `(COALESCE(${limits}::jsonb -> ${plan}, ${limits}::jsonb -> 'default') #>> '{}')::bigint`;

/** Whether the run seconds of a period have reached a limit; null where there is no limit. */
export const runSecondsUsedUp = (workspace: string, period: string, limit: string): string => `
  COALESCE((SELECT s.used FROM usage_counters s
            WHERE s.workspace_id = ${workspace} AND s.meter = 'run_seconds' AND s.period_start = ${period}), 0) >= ${limit}`;

/** Parameters of `admitRun`, made by `UsageService.runLimits`: what each plan allows, as JSON. */
export interface RunLimits {
  runLimits: string;
  runSecondLimits: string;
}

/**
 * Counts the start of a run, or of a further attempt, within a larger statement. Returns a row with `workspace_id`, or none
 * where a limit does not allow it. Comparing and counting are one step: two runs that start at once cannot both take the
 * last place.
 *
 * @param workspace its id as an expression; where that is null, nothing is admitted
 */
export const admitRun = (workspace: string): string => `
  WITH account AS (
    SELECT w.id, p.period, ${limitIn(':runLimits', 'w.plan')} AS most,
      COALESCE(${runSecondsUsedUp('w.id', 'p.period', limitIn(':runSecondLimits', 'w.plan'))}, false) AS used_up
    FROM workspaces w CROSS JOIN LATERAL (SELECT usage_period_start(w.created_at, now()) AS period) AS p
    WHERE w.id = ${workspace}
  )
  INSERT INTO usage_counters ${COLUMNS}
  SELECT id, 'runs', period, 1 FROM account WHERE NOT used_up AND COALESCE(most > 0, true)
  ON CONFLICT ${KEY} DO UPDATE SET used = u.used + excluded.used
    WHERE COALESCE(u.used + excluded.used <= (SELECT most FROM account), true)
  RETURNING workspace_id`;

/**
 * Counts, whatever the limits, within a larger statement. Returns `workspace_id`, `meter` and `used`.
 *
 * @param rows a query for workspace, meter and amount
 */
export const countUsage = (rows: string): string => `
  INSERT INTO usage_counters ${COLUMNS}
  SELECT c.workspace_id, c.meter, usage_period_start(w.created_at, now()), sum(c.amount)
  FROM (${rows}) AS c (workspace_id, meter, amount) JOIN workspaces w ON w.id = c.workspace_id
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ${KEY} DO UPDATE SET used = u.used + excluded.used
  RETURNING workspace_id, meter, used`;

/** Counts the seconds that a run took, rounded up. `run`: a relation with the columns of `runs`. */
export const countRunSeconds = (run: string): string =>
  countUsage(
    `SELECT workspace_id, '${'run_seconds' satisfies CountedMeter}', ceil(duration_ms / 1000.0)::bigint
     FROM ${run} WHERE duration_ms > 0`,
  );
