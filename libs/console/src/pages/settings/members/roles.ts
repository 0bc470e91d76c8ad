import type { Role } from '../../../app/use-place.js';

const ROLES: readonly Role[] = ['guest', 'member', 'admin', 'owner'];

export const ROLE_LABELS: Record<Role, string> = {
  guest: 'Guest',
  member: 'Member',
  admin: 'Admin',
  owner: 'Owner',
};

export const ROLE_MEANINGS: Record<Role, string> = {
  guest: 'Runs the scripts that are open to guests, and sees nothing else.',
  member: 'Writes, runs and schedules scripts, and keeps secrets.',
  admin: 'Also decides about people, teams, environments, keys and webhooks.',
  owner: 'Also names owners, and may delete the workspace.',
};

/** The roles that somebody of this role may give to others. */
export function rolesGivenBy(role: Role): readonly Role[] {
  if (role === 'owner') return ROLES;
  return role === 'admin' ? ROLES.filter((given) => given !== 'owner') : [];
}

/** Whether somebody of this role may change or remove somebody of the other. */
export function mayChange(role: Role, other: Role): boolean {
  return rolesGivenBy(role).includes(other);
}
