import type { WorkspaceRule } from '../core/access/index.js';
import { EVERY_EVENT } from '../core/outbox/index.js';

/** By token, webhooks are for owners; in the app, for admins as well. */
export const READ_ENDPOINTS: WorkspaceRule = EVERY_EVENT;

/** Agents may test and redeliver: nothing is sent to a receiver that does not get it anyway. */
export const SEND_AGAIN: WorkspaceRule = { ...EVERY_EVENT, scope: 'workspace.webhooks:write' };

/** Agents may not decide where events are sent. */
export const CHANGE_ENDPOINTS: WorkspaceRule = {
  ...SEND_AGAIN,
  kinds: ['session', 'personal_token', 'api_key'],
};
