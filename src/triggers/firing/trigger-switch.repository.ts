import { Injectable } from '@nestjs/common';

import { insertAuditEvents } from '../../audit/audit-trail.js';
import { newId } from '../../core/crypto/ids.js';
import { Database } from '../../core/database/database.js';
import type { OrderingTrigger } from '../trigger.orders.js';

/** What happened to the things that triggers need. */
export interface Changes {
  scriptIds: string[];
  environmentIds: string[];
  members: { workspaceId: string; userId: string }[];
}

export interface SwitchedOff {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  reason: string;
}

@Injectable()
export class TriggerSwitchRepository {
  constructor(private readonly database: Database) {}

  /** The triggers that are on and need any of these, locked for the rest of the transaction. */
  lockAffected({ scriptIds, environmentIds, members }: Changes): Promise<OrderingTrigger[]> {
    return this.database.query<OrderingTrigger>(LOCK_AFFECTED, [
      scriptIds,
      environmentIds,
      members.map(({ workspaceId }) => workspaceId),
      members.map(({ userId }) => userId),
    ]);
  }

  switchOff(triggers: readonly { id: string; reason: string }[]): Promise<SwitchedOff[]> {
    return this.database.query<SwitchedOff>(SWITCH_OFF, [
      triggers.map(({ id }) => id),
      triggers.map(({ reason }) => reason),
      triggers.map(() => newId('audit')),
    ]);
  }
}

const LOCK_AFFECTED = `
  SELECT t.id, t.workspace_id AS "workspaceId", t.environment_id AS "environmentId", t.script_id AS "scriptId",
    t.created_by_user_id AS "createdByUserId", t.by_agent AS "byAgent"
  FROM triggers t
  WHERE t.enabled AND (t.script_id = ANY($1) OR (t.environment_id = ANY($2) AND t.by_agent)
    OR t.id IN (
      SELECT mine.id FROM unnest($3::text[], $4::text[]) AS m(workspace_id, user_id)
        JOIN triggers mine ON mine.workspace_id = m.workspace_id AND mine.created_by_user_id = m.user_id
      WHERE mine.enabled))
  ORDER BY t.id FOR NO KEY UPDATE OF t`;

const SWITCH_OFF = `
  WITH off AS (
    UPDATE triggers t SET enabled = false, disabled_reason = r.reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS r(id, reason, audit_id)
    WHERE t.id = r.id AND t.enabled
    RETURNING t.id, t.workspace_id, t.environment_id, t.name, r.reason, r.audit_id
  ), audited AS (
    ${insertAuditEvents(`SELECT audit_id, workspace_id, 'trigger.disabled', 'system', NULL, NULL, NULL, 'trigger', id,
      jsonb_build_object('name', name, 'reason', reason) FROM off`)}
  )
  SELECT id, workspace_id AS "workspaceId", environment_id AS "environmentId", name, reason FROM off`;
