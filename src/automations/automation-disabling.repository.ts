import { Injectable } from '@nestjs/common';

import { insertAuditEvents } from '../audit/index.js';
import { newId } from '../core/crypto/ids.js';
import { columns } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import type { Automation, AutomationKind } from './automation.kind.js';
import type { LostNeeds } from './lost-needs.js';

export interface DisabledAutomation {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  reason: string;
}

@Injectable()
export class AutomationDisablingRepository {
  constructor(private readonly database: Database) {}

  /** The enabled ones that need any of these, locked until the transaction ends. */
  lockAffected(kind: AutomationKind, lost: LostNeeds): Promise<Automation[]> {
    return this.database.query<Automation>(lockAffected(kind), [
      lost.scriptIds,
      lost.workspaceIds,
      lost.members.map(({ workspaceId }) => workspaceId),
      lost.members.map(({ userId }) => userId),
    ]);
  }

  /** Returns those that were enabled until now. */
  disable(
    kind: AutomationKind,
    refused: readonly { id: string; reason: string }[],
  ): Promise<DisabledAutomation[]> {
    return this.database.query<DisabledAutomation>(disable(kind), [
      refused.map(({ id }) => id),
      refused.map(({ reason }) => reason),
      refused.map(() => newId('audit')),
    ]);
  }
}

/** Locked in the order of their ids, so that no two transactions wait for each other. */
const lockAffected = ({ table, entity }: AutomationKind): string => `
  SELECT ${columns(entity, 'a', 'id', 'workspaceId', 'environmentId', 'scriptId', 'createdByUserId', 'byAgent')}
  FROM ${table} a
  WHERE a.enabled AND (a.script_id = ANY($1) OR (a.workspace_id = ANY($2) AND a.by_agent)
    OR a.id IN (
      SELECT mine.id FROM unnest($3::text[], $4::text[]) AS m(workspace_id, user_id)
        JOIN ${table} mine ON mine.workspace_id = m.workspace_id AND mine.created_by_user_id = m.user_id
      WHERE mine.enabled))
  ORDER BY a.id FOR NO KEY UPDATE OF a`;

const disable = ({ name, table, whenDisabled }: AutomationKind): string => `
  WITH disabled AS (
    UPDATE ${table} a SET ${whenDisabled}, disabled_reason = r.reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS r(id, reason, audit_id)
    WHERE a.id = r.id AND a.enabled
    RETURNING a.id, a.workspace_id, a.environment_id, a.name, r.reason, r.audit_id
  ), audited AS (
    ${insertAuditEvents(`SELECT audit_id, workspace_id, '${name}.disabled', 'system', NULL, NULL, NULL, '${name}', id,
      jsonb_build_object('name', name, 'reason', reason) FROM disabled`)}
  )
  SELECT id, workspace_id AS "workspaceId", environment_id AS "environmentId", name, reason FROM disabled`;
