import { Injectable } from '@nestjs/common';

import { insertAuditEvents } from '../audit/index.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { Automation, AutomationKind } from './automation.kinds.js';
import type { LostNeeds } from './lost-needs.js';

export interface SwitchedOff {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  reason: string;
}

@Injectable()
export class AutomationSwitchRepository {
  constructor(private readonly database: Database) {}

  /** Those that are on and need any of these, locked for the rest of the transaction. */
  lockAffected(kind: AutomationKind, lost: LostNeeds): Promise<Automation[]> {
    return this.database.query<Automation>(lockAffected(kind), [
      lost.scriptIds,
      lost.workspaceIds,
      lost.members.map(({ workspaceId }) => workspaceId),
      lost.members.map(({ userId }) => userId),
    ]);
  }

  /** Returns those that were on. */
  switchOff(
    kind: AutomationKind,
    refused: readonly { id: string; reason: string }[],
  ): Promise<SwitchedOff[]> {
    return this.database.query<SwitchedOff>(switchOff(kind), [
      refused.map(({ id }) => id),
      refused.map(({ reason }) => reason),
      refused.map(() => newId('audit')),
    ]);
  }
}

const lockAffected = ({ table }: AutomationKind): string => `
  SELECT a.id, a.workspace_id AS "workspaceId", a.environment_id AS "environmentId", a.script_id AS "scriptId",
    a.created_by_user_id AS "createdByUserId", a.by_agent AS "byAgent"
  FROM ${table} a
  WHERE a.enabled AND (a.script_id = ANY($1) OR (a.workspace_id = ANY($2) AND a.by_agent)
    OR a.id IN (
      SELECT mine.id FROM unnest($3::text[], $4::text[]) AS m(workspace_id, user_id)
        JOIN ${table} mine ON mine.workspace_id = m.workspace_id AND mine.created_by_user_id = m.user_id
      WHERE mine.enabled))
  ORDER BY a.id FOR NO KEY UPDATE OF a`;

const switchOff = ({ name, table, off }: AutomationKind): string => `
  WITH off AS (
    UPDATE ${table} a SET ${off}, disabled_reason = r.reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS r(id, reason, audit_id)
    WHERE a.id = r.id AND a.enabled
    RETURNING a.id, a.workspace_id, a.environment_id, a.name, r.reason, r.audit_id
  ), audited AS (
    ${insertAuditEvents(`SELECT audit_id, workspace_id, '${name}.disabled', 'system', NULL, NULL, NULL, '${name}', id,
      jsonb_build_object('name', name, 'reason', reason) FROM off`)}
  )
  SELECT id, workspace_id AS "workspaceId", environment_id AS "environmentId", name, reason FROM off`;
