import type { PersonalTokenInput } from '@gatehouse/client/operations';

export type Scope = PersonalTokenInput['scopes'][number];
/** One of a family: each but `mcp`. */
export type FamilyScope = Exclude<Scope, 'mcp'>;
export type Way = 'read' | 'write';

export interface ScopeFamily {
  id: string;
  name: string;
  /** null: nothing takes it yet. */
  read: string | null;
  write: string | null;
}

/** What each family of scopes lets a token do, the most used first. */
export const SCOPE_FAMILIES: readonly ScopeFamily[] = [
  {
    id: 'scripts',
    name: 'Scripts',
    read: 'see scripts and versions',
    write: 'make, change and publish them',
  },
  { id: 'runs', name: 'Runs', read: 'see runs, logs and output', write: 'start and cancel runs' },
  { id: 'files', name: 'Files', read: 'list and download files', write: 'upload and delete files' },
  { id: 'schedules', name: 'Schedules', read: 'see schedules', write: 'make, change and delete them' },
  { id: 'triggers', name: 'Triggers', read: 'see triggers', write: 'make, change and delete them' },
  { id: 'hooks', name: 'Hooks', read: 'see hooks and what came in', write: 'make, change and delete them' },
  { id: 'agents', name: 'Agents', read: 'see agents', write: 'make agents and talk to them' },
  { id: 'workspace', name: 'Workspace', read: 'see its name and settings', write: 'change them' },
  {
    id: 'workspace.members',
    name: 'Members',
    read: 'see members and invitations',
    write: 'invite, change and remove people',
  },
  { id: 'workspace.teams', name: 'Teams', read: 'see teams', write: 'make and change teams' },
  {
    id: 'workspace.environments',
    name: 'Environments',
    read: 'see environments',
    write: 'make, change and delete them',
  },
  {
    id: 'workspace.secrets',
    name: 'Secrets',
    read: 'see names, never values',
    write: 'set and delete secrets',
  },
  {
    id: 'workspace.approvals',
    name: 'Approvals',
    read: 'see its own requests',
    write: 'ask for approval; only people decide',
  },
  {
    id: 'workspace.webhooks',
    name: 'Webhooks',
    read: 'see endpoints, deliveries and events',
    write: 'make, change and test endpoints',
  },
  { id: 'workspace.usage', name: 'Usage', read: 'see usage', write: null },
  { id: 'workspace.audit', name: 'Audit log', read: 'read the audit log', write: null },
];

/** The only scope without a family: it opens `/mcp` without a person, and has to be chosen by itself. */
export const MCP_SCOPE = 'mcp' satisfies Scope;

/** All families, with those of extensions at the end, which are known by their names alone. */
export function familiesOf(scopes: readonly string[]): ScopeFamily[] {
  const known = new Set(SCOPE_FAMILIES.map(({ id }) => id));
  const inFamilies = scopes.filter((scope) => scope !== MCP_SCOPE);
  const added = new Set(inFamilies.map(familyIn).filter((id) => !known.has(id)));
  return [...SCOPE_FAMILIES, ...[...added].map(addedFamily)];
}

function familyIn(scope: string): string {
  return scope.slice(0, scope.lastIndexOf(':'));
}

function addedFamily(id: string): ScopeFamily {
  const words = id.replace(/[._]/g, ' ');
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  return { id, name, read: 'see them', write: 'make and change them' };
}

export function scopeOf(family: string, way: Way): FamilyScope {
  return `${family}:${way}` as FamilyScope;
}

/** `Scripts, runs (read only)`: which families, and how far. */
export function scopesText(scopes: readonly string[], all: readonly string[] = USED_SCOPES): string {
  const rest = scopes.filter((scope) => scope !== MCP_SCOPE);
  const text = rest.length === 0 ? '' : familiesText(rest, all);
  if (rest.length === scopes.length) return text;
  return text === '' ? 'Connect by MCP' : `${text}; connect by MCP`;
}

function familiesText(scopes: readonly string[], all: readonly string[]): string {
  const given = familiesOf(scopes).flatMap(({ id, name }) => {
    const reads = scopes.includes(`${id}:read`);
    const writes = scopes.includes(`${id}:write`);
    if (!reads && !writes) return [];
    const limit = reads && writes ? '' : reads ? ' (read only)' : ' (write only)';
    return [`${name.toLowerCase()}${limit}`];
  });
  const used = usedOf(all);
  if (used.every((scope) => scopes.includes(scope))) return 'Everything';
  const isReading = (scope: string): boolean => scope.endsWith(':read');
  if (scopes.every(isReading) && used.filter(isReading).every((scope) => scopes.includes(scope))) {
    return 'Everything (read only)';
  }
  const text = given.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Those of a family that can be chosen. */
function waysOf(family: ScopeFamily): Way[] {
  return (['read', 'write'] as const).filter((way) => family[way] !== null);
}

/** Those of `scopes` that something takes. */
export function usedOf(scopes: readonly string[]): Scope[] {
  const used = familiesOf(scopes).flatMap((family) => waysOf(family).map((way) => scopeOf(family.id, way)));
  return used.filter((scope) => scopes.includes(scope));
}

/** Every scope of Gatehouse's own that something takes. */
export const USED_SCOPES: readonly Scope[] = SCOPE_FAMILIES.flatMap((family) =>
  waysOf(family).map((way) => scopeOf(family.id, way)),
);
