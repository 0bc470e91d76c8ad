import type { WorkspaceRule } from '../core/access/index.js';

export const READ_APPROVALS: WorkspaceRule = {
  scope: 'workspace.approvals:read',
  role: 'member',
  reach: 'own',
};

/** A person in the app acts directly, and an API key has nobody to ask for. */
export const ASK_FOR_APPROVAL: WorkspaceRule = {
  scope: 'workspace.approvals:write',
  role: 'member',
  kinds: ['personal_token', 'agent'],
  reach: 'own',
};
