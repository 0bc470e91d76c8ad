import { type AuditActor, SYSTEM, actorOf } from '../audit/index.js';
import type { Caller, CallerKind } from '../core/access/index.js';

export interface Asker {
  /** null for an API key. */
  userId: string | null;
  credentialKind: CallerKind | 'system';
  /** The token, grant or key; null where nobody comes back with it. */
  credentialId: string | null;
  actor: AuditActor;
}

export function askerOf(caller: Caller): Asker {
  const { kind, person, credentialId } = caller;
  return {
    userId: person?.id ?? null,
    credentialKind: kind,
    // A session's id is made of its cookie, and who asked in the app is known by name.
    credentialId: kind === 'session' ? null : credentialId,
    actor: actorOf(caller),
  };
}

/** A schedule or trigger, on behalf of the person who made it; null where an API key did. */
export function systemAsker(userId: string | null): Asker {
  return { userId, credentialKind: 'system', credentialId: null, actor: SYSTEM };
}
