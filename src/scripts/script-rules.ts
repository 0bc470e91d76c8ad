import type { WorkspaceRule } from '../core/access/index.js';

/** Which scripts there are for somebody is decided by `scriptIsVisible`. */
export const READ_SCRIPTS: WorkspaceRule = { scope: 'scripts:read', role: 'guest', reach: 'shared' };
