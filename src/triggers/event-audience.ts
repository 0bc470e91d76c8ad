import type { Role } from '../core/access/roles.js';

/** Events about what members may not read: their triggers must not tell it to them either. */
const FOR_ADMINS = ['approval.', 'webhook_endpoint.', 'workspace.invitation.'];

/** The least role of whoever has a trigger take something from events of a type. */
export function leastRoleFor(eventType: string): Role {
  return FOR_ADMINS.some((prefix) => eventType.startsWith(prefix)) ? 'admin' : 'member';
}

/** The script that an event is about; only those who may see it may hear of it. */
export function scriptIn(data: Record<string, unknown>): string | null {
  const script = data['script'];
  if (typeof script !== 'object' || script === null) return null;
  const id = (script as Record<string, unknown>)['id'];
  return typeof id === 'string' ? id : null;
}
