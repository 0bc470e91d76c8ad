import { RawJson } from '../core/json/index.js';
import type { FileDto } from '../files/index.js';
import type { RunRow, SingleRunRow } from './run-columns.js';
import type { HeldRunDto, RunDto } from './run.dto.js';

export function presentRun(row: RunRow): RunDto {
  return {
    id: row.id,
    script: { id: row.scriptId, slug: row.scriptSlug },
    version: row.version,
    environment: row.environment,
    status: row.status,
    phase: row.phase,
    error: row.error,
    startedBy: {
      userId: row.startedByUserId,
      credentialType: row.credentialType,
      credentialName: row.credentialName,
    },
    interface: row.interface,
    approvalRequestId: row.approvalRequestId,
    scheduleId: row.scheduleId,
    triggerId: row.triggerId,
    progress: row.progress,
    progressMessage: row.progressMessage,
    test: row.test,
    logLines: row.logLines,
    startedAt: row.startedAt.toISOString(),
    executionStartedAt: row.executionStartedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
  };
}

export function presentSingleRun(row: SingleRunRow, files: FileDto[]): RunDto {
  return {
    ...presentRun(row),
    inputs: new RawJson(row.inputs),
    output: row.output === null ? null : new RawJson(row.output),
    ...(row.queuedBehind !== null && { queuedBehind: row.queuedBehind }),
    network: row.network,
    files,
  };
}

export function presentHeldRun(run: RunDto, baseUrl: string): HeldRunDto {
  const id = run.status === 'awaiting_approval' ? run.approvalRequestId : null;
  return { ...run, approval: id === null ? null : { id, approveUrl: `${baseUrl}/approvals/${id}` } };
}
