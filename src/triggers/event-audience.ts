import type { Role } from '../core/access/index.js';

/** Events about what members may not read, so that no trigger of theirs may pass it on to them. */
const FOR_ADMINS = ['approval.', 'webhook_endpoint.', 'workspace.invitation.'];

/** The least role that may have a trigger on events of a type. */
export function leastRoleFor(eventType: string): Role {
  return FOR_ADMINS.some((prefix) => eventType.startsWith(prefix)) ? 'admin' : 'member';
}

/** The script that an event is about. Only those who may see the script may see the event. */
export function scriptIn(data: Record<string, unknown>): string | null {
  const script = data['script'];
  if (typeof script !== 'object' || script === null) return null;
  const id = (script as Record<string, unknown>)['id'];
  return typeof id === 'string' ? id : null;
}
