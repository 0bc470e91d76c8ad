export const SCOPE_FAMILIES = [
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

export type ScopeFamily = (typeof SCOPE_FAMILIES)[number];
/** `write` does not imply `read`. */
export type Scope = `${ScopeFamily}:${'read' | 'write'}`;

export const SCOPES: readonly Scope[] = SCOPE_FAMILIES.flatMap(
  (family) => [`${family}:read`, `${family}:write`] as const,
);
