import { BUDGET_METERS, type BudgetLimits, type BudgetPeriod, MILLIONTHS } from './agent-budget.js';

/** What was used by somebody in a period, and what they may use. */
export interface AgentUseRow {
  subject: string;
  per: BudgetPeriod;
  periodEnd: Date;
  runs: number;
  messages: number;
  tokens: number;
  cost: number;
  reads: number;
  /** null: nothing limits it. */
  limits: BudgetLimits | null;
  kind: 'agent' | 'app' | 'person';
  /** Of the agent or the app. */
  name: string | null;
  currency: string | null;
}

/** The periods of UTC that go on: `p.per`, `p.period_start` and `p.period_end`. */
const PERIODS = `(VALUES
    ('day', date_trunc('day', now(), 'UTC'), date_trunc('day', now(), 'UTC') + interval '24 hours'),
    ('month', date_trunc('month', now(), 'UTC'), date_trunc('month', date_trunc('month', now(), 'UTC') + interval '33 days', 'UTC'))
  ) AS p (per, period_start, period_end)`;

const COUNTS = ['runs', 'messages', 'tokens', 'cost', 'reads'];

/** Of rows `c` of a workspace $1, the limits of whoever's they are. Their tables lie above this domain, and are only read. */
const WITH_LIMITS = `
  LEFT JOIN agents a ON a.id = c.subject AND a.workspace_id = $1
  LEFT JOIN agent_grants g ON g.id = c.subject AND g.workspace_id = $1
  LEFT JOIN workspaces w ON w.id = $1 AND left(c.subject, 4) = 'usr_'`;

const LIMITS = `COALESCE(a.budget, g.budget, w.member_budget) -> c.per AS limits, COALESCE(a.name, g.app_name) AS name,
    CASE WHEN a.id IS NOT NULL THEN 'agent' WHEN w.id IS NOT NULL THEN 'person' ELSE 'app' END AS kind`;

/**
 * $1 workspace, $2 subjects in the order of their ids, $3 to $7 amounts. SQL: comparing follows counting under one lock, so that
 * of many at once nobody takes the same last place. Who finds a limit passed undoes the count with the transaction.
 */
export const COUNT_AGENT_USE = `
  WITH counted AS (
    INSERT INTO agent_counters AS u (workspace_id, subject, per, period_start, ${COUNTS.join(', ')})
    SELECT $1, s.subject, p.per, p.period_start, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint
    FROM unnest($2::text[]) AS s (subject) CROSS JOIN ${PERIODS} ORDER BY s.subject, p.per
    ON CONFLICT (workspace_id, subject, per, period_start)
      DO UPDATE SET ${COUNTS.map((name) => `${name} = u.${name} + excluded.${name}`).join(', ')}
    RETURNING subject, per, period_start, ${COUNTS.join(', ')}
  )
  SELECT c.subject, c.per, p.period_end AS "periodEnd", ${COUNTS.map((name) => `c.${name}`).join(', ')}, ${LIMITS}
  FROM counted c JOIN ${PERIODS} ON p.per = c.per ${WITH_LIMITS}
  ORDER BY c.subject, c.per`;

/** $1 workspace, $2 subjects: each with both of its periods, also where nothing was used. */
export const FIND_AGENT_USE = `
  SELECT c.subject, c.per, c.period_end AS "periodEnd", ${COUNTS.map((name) => `COALESCE(u.${name}, 0) AS ${name}`).join(', ')}, ${LIMITS}
  FROM (SELECT s.subject, p.* FROM unnest($2::text[]) AS s (subject) CROSS JOIN ${PERIODS}) AS c
    LEFT JOIN agent_counters u ON u.workspace_id = $1 AND u.subject = c.subject AND u.per = c.per
      AND u.period_start = c.period_start
    ${WITH_LIMITS}
  ORDER BY c.subject, c.per`;

/** A counter near a limit, and whom to tell: the person behind it, or the workspace's owners where it is an agent's. */
export interface NearBudgetRow extends Omit<AgentUseRow, 'currency'> {
  workspaceId: string;
  workspaceName: string;
  userId: string | null;
}

const BUDGET = 'COALESCE(a.budget, g.budget, w.member_budget) -> c.per';
const NEAR = BUDGET_METERS.map((meter) => {
  const used = meter === 'cost' ? `c.cost / ${MILLIONTHS}.0` : `c.${meter}`;
  return `${used} >= (${BUDGET} ->> '${meter}')::numeric * $1::float8`;
}).join(' OR ');

/** $1 share, $2 how many. What is near its limit is locked and marked in one step, so that each is told of once. */
export const CLAIM_NEAR_BUDGETS = `
  WITH near AS MATERIALIZED (
    SELECT c.workspace_id, c.subject, c.per, c.period_start, p.period_end, ${LIMITS},
      n.name AS workspace_name, COALESCE(g.user_id, CASE WHEN w.id IS NOT NULL THEN c.subject END) AS user_id
    FROM agent_counters c JOIN ${PERIODS} ON p.per = c.per AND p.period_start = c.period_start
      JOIN workspaces n ON n.id = c.workspace_id AND n.deleted_at IS NULL
      LEFT JOIN agents a ON a.id = c.subject AND a.workspace_id = c.workspace_id
      LEFT JOIN agent_grants g ON g.id = c.subject AND g.workspace_id = c.workspace_id
      LEFT JOIN workspaces w ON w.id = c.workspace_id AND left(c.subject, 4) = 'usr_'
    WHERE c.warned_at IS NULL AND (${NEAR})
    LIMIT $2 FOR UPDATE OF c SKIP LOCKED
  )
  UPDATE agent_counters c SET warned_at = now() FROM near
  WHERE c.workspace_id = near.workspace_id AND c.subject = near.subject AND c.per = near.per
    AND c.period_start = near.period_start
  RETURNING c.workspace_id AS "workspaceId", c.subject, c.per, near.period_end AS "periodEnd",
    ${COUNTS.map((name) => `c.${name}`).join(', ')}, near.limits, near.name, near.kind,
    near.workspace_name AS "workspaceName", near.user_id AS "userId"`;
