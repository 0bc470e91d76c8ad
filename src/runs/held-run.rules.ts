import { fileFields } from '../../libs/json-schema/index.js';
import type { HeldRun } from './held-runs.sql.js';
import type { StarterAccess } from './starter-access.sql.js';

/** Why a held run cannot start any more although somebody says yes, or null. The world may have changed meanwhile. */
export function releaseProblem(run: HeldRun): string | null {
  const problem = accessProblem(run);
  if (problem !== null) return problem;
  return run.filesLeft < fileFields(run.inputSchema, run.inputs).length ? 'an input file has expired' : null;
}

/** Why who started a run could not do so any more, or null. */
export function accessProblem(run: StarterAccess): string | null {
  if (run.scriptStatus === 'archived') return `the script ${run.scriptSlug} is archived`;
  if (run.environmentGone) return `the environment ${run.environment} is gone`;
  if (run.starterRole === null) return 'who started it is not a member of the workspace any more';
  if (!run.visibleToStarter) {
    return `who started it has no access to the script ${run.scriptSlug} any more`;
  }
  if (run.credentialRevoked) return 'the credential that it was started with is revoked';
  if (run.byAgent && !run.agentsAllowed) return `agents may not run scripts in ${run.environment} any more`;
  return null;
}
