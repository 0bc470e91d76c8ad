import { type Role, roleReaches } from '../core/access/index.js';
import { decidedWorkspaces, type OidcProviderSettings } from '../core/config/index.js';
import type { ProvidedMembership } from './sign-in-way.js';

type Mapping = Pick<OidcProviderSettings, 'roles' | 'teams' | 'defaultRoles'>;

/** What somebody with these groups is in each workspace that the settings decide about. The highest role counts. */
export function membershipsOf(
  { roles, teams, defaultRoles }: Mapping,
  groups: ReadonlySet<string>,
): ProvidedMembership[] {
  const held = [...roles.filter(({ group }) => groups.has(group)), ...defaultRoles];
  return [...decidedWorkspaces({ roles, defaultRoles })].map((workspace) => ({
    workspace,
    role: held
      .filter((place) => place.workspace === workspace)
      .reduce<Role | null>((best, { role }) => (best && roleReaches(best, role) ? best : role), null),
    teams: teamsIn(workspace, teams, groups),
  }));
}

/** Several groups may lead into one team. */
function teamsIn(
  workspace: string,
  teams: Mapping['teams'],
  groups: ReadonlySet<string>,
): Record<string, boolean> {
  const inside: Record<string, boolean> = {};
  for (const each of teams.filter((team) => team.workspace === workspace)) {
    inside[each.team] = inside[each.team] === true || groups.has(each.group);
  }
  return inside;
}
