import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { AuditAction } from './audit.actions.js';
import type { ActorType } from './actor-type.js';

export interface AuditTarget {
  /** The kind of thing, such as `script`. */
  type: string;
  id: string;
}

export interface AuditActor {
  type: ActorType;
  userId: string | null;
  credentialType: 'api_key' | 'pat' | null;
  credentialName: string | null;
}

export interface AuditEntry {
  workspaceId: string;
  by: Caller | AuditActor;
  action: AuditAction;
  target: AuditTarget;
  details?: Record<string, unknown>;
}

export const SYSTEM: AuditActor = {
  type: 'system',
  userId: null,
  credentialType: null,
  credentialName: null,
};

export function actorOf(caller: Caller): AuditActor {
  const byKey = caller.kind === 'api_key';
  return {
    type: byKey ? 'api_key' : 'user',
    userId: caller.person?.id ?? null,
    credentialType: byKey ? 'api_key' : caller.kind === 'session' ? null : 'pat',
    credentialName: caller.credentialName,
  };
}

/**
 * The statement that writes an entry, with its parameters from `$first` on: for use within a larger statement. `from`: a
 * relation with one row if it is to be written, and none if not.
 */
export function insertAuditEvent(first: number, from?: string): string {
  const places = Array.from({ length: 10 }, (_, index) => `$${first + index}`).join(', ');
  return insertAuditEvents(from === undefined ? `VALUES (${places})` : `SELECT ${places} FROM ${from}`);
}

/** The same for many. `rows`: a query whose columns are those named here, in this order. */
export function insertAuditEvents(rows: string): string {
  return `INSERT INTO audit_events (id, workspace_id, action, actor_type, actor_user_id, credential_type,
    credential_name, target_type, target_id, details) ${rows}`;
}

export function auditParameters(
  workspaceId: string,
  by: Caller | AuditActor,
  action: AuditAction,
  target: AuditTarget,
  details: Record<string, unknown> = {},
): unknown[] {
  const actor = 'kind' in by ? actorOf(by) : by;
  return [
    newId('audit'),
    workspaceId,
    action,
    actor.type,
    actor.userId,
    actor.credentialType,
    actor.credentialName,
    target.type,
    target.id,
    JSON.stringify(details),
  ];
}

const INSERT = insertAuditEvent(1);

const INSERT_MANY = insertAuditEvents(`
  SELECT id, workspace_id, action, actor_type, actor_user_id, credential_type, credential_name, target_type, target_id,
    details
  FROM json_to_recordset($1) AS a(id text, workspace_id text, action text, actor_type text, actor_user_id text,
    credential_type text, credential_name text, target_type text, target_id text, details jsonb)`);

/** Writes who changed what. To be called in the transaction of the change. */
@Injectable()
export class AuditTrail {
  constructor(private readonly database: Database) {}

  async record(
    workspaceId: string,
    by: Caller | AuditActor,
    action: AuditAction,
    target: AuditTarget,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    await this.database.query(INSERT, auditParameters(workspaceId, by, action, target, details));
  }

  /** Many entries in one statement. */
  async recordMany(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map(({ workspaceId, by, action, target, details = {} }) => {
      const actor = 'kind' in by ? actorOf(by) : by;
      return {
        id: newId('audit'),
        workspace_id: workspaceId,
        action,
        actor_type: actor.type,
        actor_user_id: actor.userId,
        credential_type: actor.credentialType,
        credential_name: actor.credentialName,
        target_type: target.type,
        target_id: target.id,
        details,
      };
    });
    await this.database.query(INSERT_MANY, [JSON.stringify(rows)]);
  }
}
