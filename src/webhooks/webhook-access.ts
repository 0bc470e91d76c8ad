import type { WorkspaceRule } from '../core/access/access-rule.js';

/** By token, webhooks are for owners; in the app, for admins as well. */
const RULE = { role: 'admin', roleByToken: 'owner' } as const;

export const READ_ENDPOINTS: WorkspaceRule = { scope: 'workspace.webhooks:read', ...RULE };

/** Agents may test and redeliver: nothing is sent to a receiver that does not get it anyway. */
export const SEND_AGAIN: WorkspaceRule = { scope: 'workspace.webhooks:write', ...RULE };

/** Agents may not decide where events are sent. */
export const CHANGE_ENDPOINTS: WorkspaceRule = {
  ...SEND_AGAIN,
  kinds: ['session', 'personal_token', 'api_key'],
};
