import { Injectable } from '@nestjs/common';

import { type RowOf, columns } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { UsageCounter } from './usage-counter.entity.js';

const COUNTER_COLUMNS = columns(UsageCounter, 'c', 'workspaceId', 'meter', 'used');

export interface UsageWarning extends RowOf<typeof COUNTER_COLUMNS> {
  workspaceName: string;
  limit: number;
  createdAt: Date;
  periodStart: Date;
}

export interface WorkspaceOwner {
  workspaceId: string;
  name: string;
  email: string;
}

@Injectable()
export class UsageWarningsRepository {
  constructor(private readonly database: Database) {}

  /** Takes counters that have come near their limits, and marks that their owners are told. Locked ones are left for later. */
  claim(limits: string, near: number, count: number): Promise<UsageWarning[]> {
    return this.database.query<UsageWarning>(CLAIM, [limits, near, count]);
  }

  /** Has owners told again of what no period resets, once it has been well below its limit. */
  async forget(limits: string, below: number): Promise<void> {
    await this.database.execute(FORGET, [limits, below]);
  }

  owners(workspaceIds: readonly string[]): Promise<WorkspaceOwner[]> {
    return this.database.query<WorkspaceOwner>(
      `SELECT m.workspace_id AS "workspaceId", u.name, u.email
       FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = ANY($1) AND m.role = 'owner' ORDER BY m.id`,
      [workspaceIds],
    );
  }
}

/** Each plan's limits by meter: `Plans.limitsByMeter()`. */
const LIMIT = `(COALESCE($1::jsonb -> w.plan, $1::jsonb -> 'default') ->> c.meter)::bigint`;

const CLAIM = `
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
  RETURNING ${COUNTER_COLUMNS}, near.name AS "workspaceName", near.most AS limit,
    near.created_at AS "createdAt", near.period AS "periodStart"`;

const FORGET = `
  UPDATE usage_counters c SET warned_at = NULL FROM workspaces w
  WHERE c.period_start = 'epoch' AND c.warned_at IS NOT NULL AND w.id = c.workspace_id
    AND COALESCE(c.used < ${LIMIT} * $2::float8, true)`;
