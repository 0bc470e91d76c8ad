export const ROLES = ['guest', 'member', 'admin', 'owner'] as const;
/** What somebody is in a workspace; each may all that those before it may. */
export type Role = (typeof ROLES)[number];

export function roleReaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
