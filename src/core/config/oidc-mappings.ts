const ROLES = ['guest', 'member', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** A role in a workspace, which its slug names. */
export interface Place {
  workspace: string;
  role: Role;
}

/** What a group at the provider is here. */
export interface GroupRole extends Place {
  group: string;
}

export interface GroupTeam {
  group: string;
  workspace: string;
  team: string;
}

const SLUG = '[a-z0-9][a-z0-9-]{0,49}';
const PLACE = new RegExp(`^(${SLUG}):(${ROLES.join('|')})$`);
/** A group's name may have any character but `;`, so its end is the last `=` before a workspace. */
const ENTRY = new RegExp(`^(.+)=\\s*(${SLUG}):([^:=]+)$`);
const MOST = 1000;

/** @throws Error with what is taken */
export function parseGroupRoles(text: string): GroupRole[] {
  const takes = `groups with a workspace and a role, such as gatehouse-admins=main:admin; everybody=main:member (roles: ${ROLES.join(', ')})`;
  return entriesOf(text, takes).map((entry) => {
    const [, group, workspace, role] = ENTRY.exec(entry) ?? [];
    const place = placeOf(`${workspace}:${role}`);
    if (group === undefined || !place) throw new Error(takes);
    return { group: group.trim(), ...place };
  });
}

/** @throws Error with what is taken */
export function parseGroupTeams(text: string): GroupTeam[] {
  const takes = 'groups with a workspace and a team of it, such as support-staff=main:Support';
  return entriesOf(text, takes).map((entry) => {
    const [, group, workspace, team] = ENTRY.exec(entry) ?? [];
    if (group === undefined) throw new Error(takes);
    return { group: group.trim(), workspace: workspace!, team: team!.trim() };
  });
}

/** @throws Error with what is taken */
export function parsePlaces(text: string): Place[] {
  const takes = `a workspace and a role, such as main:guest (roles: ${ROLES.join(', ')}); of each workspace once`;
  const places = entriesOf(text, takes).map(placeOf);
  const slugs = new Set(places.map((place) => place?.workspace));
  if (places.includes(null) || slugs.size < places.length) throw new Error(takes);
  return places as Place[];
}

function placeOf(text: string): Place | null {
  const [, workspace, role] = PLACE.exec(text) ?? [];
  return workspace === undefined ? null : { workspace, role: role as Role };
}

function entriesOf(text: string, takes: string): string[] {
  const entries = text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0 || entries.length > MOST) throw new Error(takes);
  return entries;
}
