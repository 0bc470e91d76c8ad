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

/** Each plan's limits by meter: `PlanLimits.limitsByMeter()`. */
const LIMIT = `(COALESCE($1::jsonb -> w.plan, $1::jsonb -> 'default') ->> c.meter)::bigint`;

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

/** $2 share. The limits are in a parameter, and the plans in another table. */
export const FORGET_WARNED = `
  UPDATE usage_counters c SET warned_at = NULL FROM workspaces w
  WHERE c.period_start = 'epoch' AND c.warned_at IS NOT NULL AND w.id = c.workspace_id
    AND COALESCE(c.used < ${LIMIT} * $2::float8, true)`;
