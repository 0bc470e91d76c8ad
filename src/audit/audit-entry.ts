import type { Caller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import type { ActorType } from './actor-type.js';
import type { AuditEvent } from './audit-event.entity.js';
import type { AuditAction } from './audit.actions.js';

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
  /** Where the request came from. */
  address?: string;
}

/** Who did what to what: what an audit event is made of. */
export interface AuditEntry {
  /** null: it is about no workspace. */
  workspaceId: string | null;
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

/** A person in the app; null where it is not known who. */
export function inTheApp(userId: string | null, address?: string): AuditActor {
  const from = address !== undefined && { address };
  return { type: 'user', userId, credentialType: null, credentialName: null, ...from };
}

export function actorOf(caller: Caller): AuditActor {
  const byKey = caller.kind === 'api_key';
  return {
    type: byKey ? 'api_key' : 'user',
    userId: caller.person?.id ?? null,
    credentialType: byKey ? 'api_key' : caller.kind === 'session' ? null : 'pat',
    credentialName: caller.credentialName,
    ...(caller.address !== undefined && { address: caller.address }),
  };
}

/** A new event of the audit trail, without the moment, which the database fills in. */
export function auditEventOf(entry: AuditEntry): Omit<AuditEvent, 'createdAt'> {
  const { workspaceId, by, action, target, details = {} } = entry;
  const actor = 'kind' in by ? actorOf(by) : by;
  return {
    id: newId('audit'),
    workspaceId,
    action,
    actorType: actor.type,
    actorUserId: actor.userId,
    credentialType: actor.credentialType,
    credentialName: actor.credentialName,
    address: actor.address ?? null,
    targetType: target.type,
    targetId: target.id,
    details,
  };
}
