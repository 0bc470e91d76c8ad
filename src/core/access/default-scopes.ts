import type { Scope } from './scopes.js';

/** What an app asks for that does not say what it wants: to run scripts and ask people for approval. */
export const DEFAULT_SCOPES: readonly Scope[] = [
  'scripts:read',
  'runs:read',
  'runs:write',
  'files:read',
  'files:write',
  'workspace.approvals:read',
  'workspace.approvals:write',
];
