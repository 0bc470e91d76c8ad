import type { Role, Viewer } from '../../core/access/index.js';
import type { ListeningTrigger } from './matches.js';

/** A trigger's author with the role that they have now: a person as in the app, with the scripts that their app was given. */
export function authorOf(trigger: ListeningTrigger, role: Role): Viewer {
  const { id, workspaceId, environmentId, authorUserId, authorScriptChoice: scriptChoice } = trigger;
  return {
    kind: authorUserId === null ? 'api_key' : 'session',
    credentialId: id,
    person: authorUserId === null ? null : { id: authorUserId },
    scopes: null,
    scriptChoice,
    workspace: { id: workspaceId },
    role,
    environment: { id: environmentId, name: environmentId },
    bound: false,
  };
}

/**
 * Why a trigger is to be disabled for what has become of its author, or null.
 *
 * @param role null for one who has left the workspace
 * @param mayFollow whether somebody may follow events of the trigger's type
 */
export function authorProblem(
  trigger: ListeningTrigger,
  role: Role | null,
  mayFollow: (author: Viewer) => boolean,
): string | null {
  // Of a creator who has left, the order of the run says so when it is refused.
  if (role === null && trigger.authorUserId === trigger.createdByUserId) return null;
  if (role === null) return 'who last changed its filter or inputs is not a member of the workspace any more';
  if (role !== 'guest' && mayFollow(authorOf(trigger, role))) return null;
  return `who last changed its filter or inputs is ${role} now, and may not follow events of the type ${trigger.eventType}`;
}
