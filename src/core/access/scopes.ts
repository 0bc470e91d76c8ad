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
  'agents',
] as const;

type ScopeFamily = (typeof SCOPE_FAMILIES)[number];
/** `write` does not imply `read`. */
export type Scope = `${ScopeFamily}:${'read' | 'write'}`;

const scopes: Scope[] = SCOPE_FAMILIES.flatMap((family) => [`${family}:read`, `${family}:write`] as const);

/** Every scope there is, those of extensions included. */
export const SCOPES: readonly Scope[] = scopes;

/** Adds families of extensions, before the application is built: what is known by then is in the OpenAPI document. */
export function addScopeFamilies(families: readonly string[]): void {
  const added = families.flatMap((family) => [`${family}:read`, `${family}:write`] as Scope[]);
  scopes.push(...added.filter((scope) => !scopes.includes(scope)));
}
