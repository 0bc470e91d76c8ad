import { Forbidden } from '../../core/errors/index.js';
import type { OpenIdClaims } from '../open-id/open-id.js';

/** More than any provider puts into a token; it keeps the work for one sign-in small. */
const MOST = 2000;

/**
 * The person's groups; null where the provider says nothing of them.
 *
 * @param name of the claim, or a path with dots such as `realm_access.roles`
 * @throws Forbidden where they are not all there, or no names
 */
export function claimedGroups(claims: OpenIdClaims, name: string): ReadonlySet<string> | null {
  if (isElsewhere(claims, name)) {
    throw new Forbidden(
      'The person is in more groups than Entra puts into a token. Choose "Groups assigned to the application" for the groups claim there, or use app roles with GROUPS_CLAIM=roles.',
    );
  }
  const value = claims[name] ?? atPath(claims, name);
  if (value === undefined || value === null) return null;
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (groups.length > MOST) {
    throw new Forbidden(`The claim "${name}" has more than ${MOST} groups: have the provider name fewer.`);
  }
  if (!groups.every((group) => typeof group === 'string')) {
    throw new Forbidden(`The claim "${name}" has something else than names of groups.`);
  }
  return new Set(groups as string[]);
}

/** Whether the provider says them, and all of them, there. */
export function saysGroups(claims: OpenIdClaims, name: string): boolean {
  const value = claims[name] ?? atPath(claims, name);
  return value !== undefined && value !== null && !isElsewhere(claims, name);
}

/** Entra says where else they could be asked for, as `_claim_names` or `hasgroups`. */
function isElsewhere(claims: OpenIdClaims, name: string): boolean {
  const elsewhere = claims['_claim_names'];
  if (name === 'groups' && isYes(claims['hasgroups'])) return true;
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
}

function isYes(value: unknown): boolean {
  return value === true || value === 'true';
}

function atPath(claims: OpenIdClaims, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    return (at as Record<string, unknown>)[key];
  }, claims);
}
