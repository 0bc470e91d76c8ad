export const ROLES = ['guest', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function roleReaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
