import type { WorkspaceRule } from '../core/access/index.js';

export const READ_FILES: WorkspaceRule = { scope: 'files:read', role: 'guest', reach: 'own' };
