import type { ScriptVersion } from '../versions/script-version.entity.js';
import type { TrialDto } from './trial.dto.js';

export function presentTrial(trial: ScriptVersion): TrialDto {
  const { id, command, build, buildLog, inputSchema, outputSchema, archiveBytes, archiveSha256 } = trial;
  const { timeoutSeconds, resources, runsOn, retry, idempotent, concurrency, debounce, labels } = trial;
  const { warm, handler, keep, hosts, hostRules, secrets, env, createdVia, createdBy } = trial;
  return {
    ...{ id, command, build, buildLog, inputSchema, outputSchema, archiveBytes, archiveSha256 },
    ...{ timeoutSeconds, resources, runsOn, retry, idempotent, concurrency, debounce, labels },
    ...{ warm, handler, keep, hosts, hostRules, secrets, env, createdVia },
    createdBy: createdBy ? { userId: createdBy.id, name: createdBy.name } : null,
    createdAt: trial.createdAt.toISOString(),
    expiresAt: trial.trialUntil!.toISOString(),
  };
}
