import type { WorkspaceRule } from '../core/access/index.js';
import { READ_RUNS, START_RUNS } from '../runs/index.js';

/** As with runs. An error tells of everybody's, so that guests, who see their own only, see none. */
export const READ_ERRORS: WorkspaceRule = { ...READ_RUNS, role: 'member' };
export const SETTLE_ERRORS: WorkspaceRule = { ...START_RUNS, role: 'member' };
