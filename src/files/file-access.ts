import type { WorkspaceRule } from '../core/access/access-rule.js';

export const READ_FILES: WorkspaceRule = { scope: 'files:read', role: 'guest', reach: 'own' };
