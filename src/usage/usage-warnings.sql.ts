import { columns, type RowOf } from '../core/database/index.js';
import { UsageCounter } from './usage-counter.entity.js';

const COUNTER = columns(UsageCounter, 'c', 'workspaceId', 'meter', 'used');

/** A counter that has come near its limit. */
export interface UsageWarning extends RowOf<typeof COUNTER> {
  workspaceName: string;
  limit: number;
  createdAt: Date;
  periodStart: Date;
}

/**
 * The limit of a counter by the plan of its workspace `w`.
 *
 * @param limits the parameter that holds each plan's limits by meter: `PlanLimits.limitsByMeter()`
 */
const limitBy = (limits: string): string =>
  `(COALESCE(${limits}::jsonb -> w.plan, ${limits}::jsonb -> 'default') ->> meter)::bigint`;

/** Of a row of `usage_counters`: it is well below its limit. `:limits`, `:below` a share. */
export const IS_BELOW = `
  (SELECT COALESCE(used < ${limitBy(':limits')} * :below::float8, true) FROM workspaces w WHERE w.id = workspace_id)`;

const LIMIT = limitBy('$1');

/** $2 share, $3 how many. What is near its limit is locked, marked and told with its workspace in one step. */
export const CLAIM_NEAR = `
  UPDATE usage_counters c SET warned_at = now()
  FROM (
    SELECT c.workspace_id, c.meter, c.period_start, w.name, w.created_at, ${LIMIT} AS most,
      usage_period_start(w.created_at, now()) AS period
    FROM usage_counters c JOIN workspaces w ON w.id = c.workspace_id AND w.deleted_at IS NULL
    WHERE c.warned_at IS NULL AND (c.period_start > now() - interval '32 days' OR c.period_start = 'epoch')
      AND c.used > 0 AND c.used >= ${LIMIT} * $2::float8
      AND c.period_start IN (usage_period_start(w.created_at, now()), 'epoch')
    LIMIT $3 FOR UPDATE OF c SKIP LOCKED
  ) AS near
  WHERE c.workspace_id = near.workspace_id AND c.meter = near.meter AND c.period_start = near.period_start
  RETURNING ${COUNTER}, near.name AS "workspaceName", near.most AS limit,
    near.created_at AS "createdAt", near.period AS "periodStart"`;
