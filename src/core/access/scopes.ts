const SCOPE_FAMILIES = [
  'workspace',
  'workspace.audit',
  'workspace.members',
  'workspace.approvals',
  'workspace.webhooks',
  'workspace.environments',
  'workspace.secrets',
  'workspace.teams',
  'workspace.usage',
  'scripts',
  'runs',
  'files',
  'schedules',
  'triggers',
  'hooks',
  'agents',
] as const;

type ScopeFamily = (typeof SCOPE_FAMILIES)[number];
/**
 * Opens `/mcp` to a token or a key. It belongs to no family and is the only scope that has to be said: a key without scopes
 * has all others. An app needs it not, since it was connected for this, and cannot ask for it.
 */
export const MCP_SCOPE = 'mcp';

/** `write` does not imply `read`. */
export type Scope = `${ScopeFamily}:${'read' | 'write'}` | typeof MCP_SCOPE;

const OWN: readonly Scope[] = SCOPE_FAMILIES.flatMap(
  (family) => [`${family}:read`, `${family}:write`] as const,
);
const appScopes: Scope[] = [...OWN];
const scopes: Scope[] = [...OWN, MCP_SCOPE];

/** Every scope there is, those of extensions included. */
export const SCOPES: readonly Scope[] = scopes;

/** Those of them that an app can ask its person for. */
export const APP_SCOPES: readonly Scope[] = appScopes;

/** Adds families of extensions, before the application is built: what is known by then is in the OpenAPI document. */
export function addScopeFamilies(families: readonly string[]): void {
  const named = families.flatMap((family) => [`${family}:read`, `${family}:write`] as Scope[]);
  const added = named.filter((scope) => !scopes.includes(scope));
  scopes.push(...added);
  appScopes.push(...added);
}

/** Whether nothing is held back of what its person may do. Scopes of extensions come and go, so they do not count. */
export function holdsEveryScope(held: ReadonlySet<string>): boolean {
  return OWN.every((scope) => held.has(scope));
}
