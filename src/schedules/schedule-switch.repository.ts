import { Injectable } from '@nestjs/common';

import { insertAuditEvents } from '../audit/audit-trail.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';

/** What happened to the things that schedules need. */
export interface Changes {
  scriptIds: string[];
  environmentIds: string[];
  members: { workspaceId: string; userId: string }[];
}

export interface AffectedSchedule {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  createdByUserId: string | null;
  byAgent: boolean;
}

export interface SwitchedOff {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  reason: string;
}

@Injectable()
export class ScheduleSwitchRepository {
  constructor(private readonly database: Database) {}

  /** The schedules that are on and need any of these, locked for the rest of the transaction. */
  lockAffected({ scriptIds, environmentIds, members }: Changes): Promise<AffectedSchedule[]> {
    return this.database.query<AffectedSchedule>(LOCK_AFFECTED, [
      scriptIds,
      environmentIds,
      members.map(({ workspaceId }) => workspaceId),
      members.map(({ userId }) => userId),
    ]);
  }

  switchOff(refused: readonly { id: string; reason: string }[]): Promise<SwitchedOff[]> {
    return this.database.query<SwitchedOff>(SWITCH_OFF, [
      refused.map(({ id }) => id),
      refused.map(({ reason }) => reason),
      refused.map(() => newId('audit')),
    ]);
  }
}

const LOCK_AFFECTED = `
  SELECT s.id, s.workspace_id AS "workspaceId", s.environment_id AS "environmentId", s.script_id AS "scriptId",
    s.created_by_user_id AS "createdByUserId", s.by_agent AS "byAgent"
  FROM schedules s
  WHERE s.enabled AND (s.script_id = ANY($1) OR (s.environment_id = ANY($2) AND s.by_agent)
    OR s.id IN (
      SELECT mine.id FROM unnest($3::text[], $4::text[]) AS m(workspace_id, user_id)
        JOIN schedules mine ON mine.created_by_user_id = m.user_id AND mine.workspace_id = m.workspace_id
      WHERE mine.enabled))
  ORDER BY s.id FOR UPDATE OF s`;

const SWITCH_OFF = `
  WITH off AS (
    UPDATE schedules s SET enabled = false, next_run_at = NULL, disabled_reason = r.reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS r(id, reason, audit_id)
    WHERE s.id = r.id AND s.enabled
    RETURNING s.id, s.workspace_id, s.environment_id, s.name, r.reason, r.audit_id
  ), audited AS (
    ${insertAuditEvents(`SELECT audit_id, workspace_id, 'schedule.disabled', 'system', NULL, NULL, NULL, 'schedule', id,
      jsonb_build_object('name', name, 'reason', reason) FROM off`)}
  )
  SELECT id, workspace_id AS "workspaceId", environment_id AS "environmentId", name, reason FROM off`;
