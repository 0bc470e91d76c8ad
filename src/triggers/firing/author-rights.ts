import { type Role, roleReaches } from '../../core/access/index.js';
import { leastRoleFor, scriptIn } from '../event-audience.js';
import type { FiredEvent, ListeningTrigger } from './matches.js';

/** A trigger's author, and the script that an event is about. */
export interface AuthorView {
  workspaceId: string;
  /** null for an API key. */
  userId: string | null;
  /** null for an event that is about no script. */
  scriptId: string | null;
}

export interface AuthorRights {
  /** `admin` for an API key, null for one who has left the workspace. */
  role: Role | null;
  /** Whether they may see the script; true where there is none. */
  visible: boolean;
}

export function authorViewOf(event: FiredEvent, trigger: ListeningTrigger): AuthorView {
  const { workspaceId, authorUserId: userId } = trigger;
  return { workspaceId, userId, scriptId: scriptIn(event.data) };
}

/** Why a trigger is to be disabled for what has become of its author, or null. */
export function authorProblem(trigger: ListeningTrigger, { role }: AuthorRights): string | null {
  // Of a creator who has left, the order of the run says so when it is refused.
  if (role === null && trigger.authorUserId === trigger.createdByUserId) return null;
  if (role === null) return 'who last changed its filter or inputs is not a member of the workspace any more';
  const least = leastRoleFor(trigger.eventType);
  return roleReaches(role, least)
    ? null
    : `who last changed its filter or inputs is ${role} now, and events of the type ${trigger.eventType} are for ${least}s`;
}
