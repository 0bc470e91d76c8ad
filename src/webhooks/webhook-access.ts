import type { WorkspaceRule } from '../core/access/access-rule.js';

/** By token, webhooks are for owners; in the app, for admins as well. */
const RULE = { role: 'admin', roleByToken: 'owner' } as const;

export const READ_ENDPOINTS: WorkspaceRule = { scope: 'workspace.webhooks:read', ...RULE };

/** Testing and redelivering send nothing to anybody who does not get it anyway, so agents may. */
export const SEND_AGAIN: WorkspaceRule = { scope: 'workspace.webhooks:write', ...RULE };

/** Where events go is not for agents to decide. */
export const CHANGE_ENDPOINTS: WorkspaceRule = {
  ...SEND_AGAIN,
  kinds: ['session', 'personal_token', 'api_key'],
};
