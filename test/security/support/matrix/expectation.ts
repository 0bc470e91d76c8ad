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

function mayUse(access: WorkspaceAccess, principal: Principal): boolean {
  const { kind, role, bound } = principal;
  if (!isInScope(access, principal)) return false;
  if (access.only && !access.only.includes(kind!)) return false;
  if (bound && !access.bound) return false;
  const byToken = kind === 'personal_token' || kind === 'agent';
  const least = (byToken && access.byToken) || access.role;
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** `mcp` is the one scope that nobody has who was not given it by name. */
function isInScope(
  { scope, followsScopes, openToApps }: WorkspaceAccess,
  { kind, unscoped, scopes }: Principal,
): boolean {
  if (openToApps && kind === 'agent') return true;
  if (scope === 'mcp') return scopes === 'all';
  if (scope === null) return kind !== 'api_key' || scopes === undefined || followsScopes === true;
  return !unscoped;
}
