import type { ScriptVersion } from '../versions/script-version.entity.js';
import type { TrialDto } from './trial.dto.js';

export function presentTrial(trial: ScriptVersion): TrialDto {
  const { command, build, buildLog, inputSchema, outputSchema, archiveBytes, archiveSha256 } = trial;
  const { timeoutSeconds, resources, retry, idempotent, concurrency, debounce, warm, handler } = trial;
  const { hosts, hostRules, secrets, env, createdVia, createdBy } = trial;
  return {
    id: trial.id,
    ...{ command, build, buildLog, inputSchema, outputSchema, archiveBytes, archiveSha256 },
    ...{ timeoutSeconds, resources, retry, idempotent, concurrency, debounce, warm, handler },
    ...{ hosts, hostRules, secrets, env, createdVia },
    createdBy: createdBy ? { userId: createdBy.id, name: createdBy.name } : null,
    createdAt: trial.createdAt.toISOString(),
    expiresAt: trial.trialUntil!.toISOString(),
  };
}
