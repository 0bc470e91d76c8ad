import { RawJson } from '../core/json/raw-json.js';
import type { FileDto } from '../files/file.dto.js';
import type { HeldRunDto, RunDto, RunNetworkDto } from './run.dto.js';
import type { RunInterface, RunPhase, RunStatus } from './run.status.js';

/** A run as the repository reads it. */
export interface RunRow {
  id: string;
  scriptId: string;
  scriptSlug: string;
  version: number;
  environment: string;
  status: RunStatus;
  phase: RunPhase;
  error: string | null;
  startedByUserId: string | null;
  credentialType: string | null;
  credentialName: string | null;
  interface: RunInterface;
  approvalRequestId: string | null;
  scheduleId: string | null;
  triggerId: string | null;
  progress: number | null;
  progressMessage: string | null;
  test: boolean;
  logLines: number;
  startedAt: Date;
  executionStartedAt: Date | null;
  finishedAt: Date | null;
  durationMs: number | null;
}

/** A run that is read alone, with what may be large. */
export interface SingleRunRow extends RunRow {
  /** As JSON text, which is answered as it is. */
  inputs: string;
  output: string | null;
  network: RunNetworkDto[];
  hasFiles: boolean;
  /** While it is queued: how many are before it. */
  queuedBehind: number | null;
}

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
