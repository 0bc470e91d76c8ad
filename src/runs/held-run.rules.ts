import { fileFields } from '../../libs/json-schema/index.js';
import type { HeldRun } from './held-runs.sql.js';

/** Why a held run cannot start any more although somebody says yes, or null. The world may have changed meanwhile. */
export function releaseProblem(run: HeldRun): string | null {
  if (run.scriptStatus === 'archived') return `the script ${run.scriptSlug} is archived`;
  if (run.environmentGone) return `the environment ${run.environment} is gone`;
  if (run.starterRole === null) return 'who started it is not a member of the workspace any more';
  if (!run.visibleToStarter) {
    return `who started it has no access to the script ${run.scriptSlug} any more`;
  }
  if (run.byAgent && !run.agentsAllowed) return `agents may not run scripts in ${run.environment} any more`;
  if (run.filesLeft < fileFields(run.inputSchema, run.inputs).length) return 'an input file has expired';
  return null;
}
