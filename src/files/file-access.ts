import type { WorkspaceRule } from '../core/access/index.js';

export const WRITE_FILES: WorkspaceRule = { scope: 'files:write', role: 'guest', reach: 'own' };
export const READ_FILES: WorkspaceRule = { scope: 'files:read', role: 'guest', reach: 'own' };
