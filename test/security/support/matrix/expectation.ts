import type { TestRole } from '../../../../libs/testing/index.js';
import type { Principal } from './principals.js';
import type { Route, WorkspaceAccess } from './route-line.js';

const ROLES: readonly TestRole[] = ['guest', 'member', 'admin', 'owner'];

/** The status with which a principal is turned away from a route, or null where it is let in. */
export function refusal({ access }: Pick<Route, 'access'>, principal: Principal): 400 | 401 | 403 | null {
  if (access === 'public') return null;
  if (principal.kind === null) return 401;
  if (typeof access === 'string') return principal.kind === access ? null : 403;
  return principal.stoppedAt ?? (mayUse(access, principal) ? null : 403);
}

function mayUse(access: WorkspaceAccess, { kind, role, unscoped, bound }: Principal): boolean {
  if (access.scope !== null && unscoped) return false;
  if (access.only && !access.only.includes(kind!)) return false;
  if (bound && !access.bound) return false;
  const byToken = kind === 'personal_token' || kind === 'agent';
  const least = (byToken && access.byToken) || access.role;
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
