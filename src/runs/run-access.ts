import type { WorkspaceRule } from '../core/access/index.js';

/** Which runs somebody sees is decided by what they may see of scripts, and for guests by who started them. */
export const READ_RUNS: WorkspaceRule = { scope: 'runs:read', role: 'guest', reach: 'own' };

/** To start runs of what is published, and to cancel runs. */
export const START_RUNS: WorkspaceRule = { scope: 'runs:write', role: 'guest', reach: 'own' };

/** How all runs fare. Guests see their own runs only. */
export const READ_STATISTICS: WorkspaceRule = { ...READ_RUNS, role: 'member' };
