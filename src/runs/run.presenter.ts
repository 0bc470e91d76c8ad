import { RawJson } from '../core/json/index.js';
import type { FileDto } from '../files/index.js';
import type { RunRow, SingleRunRow } from './run-columns.js';
import { causeOf } from './run.cause.js';
import type { WholeLogDto } from './log/run-log.dto.js';
import type { RunAttemptDto } from './attempts/run-attempt.dto.js';
import type { HeldRunDto, RunDto } from './run.dto.js';
import { isTrial } from './run.version.js';
import { presentDebounce } from './debounce/debounce.rules.js';
import { keyTextOf } from './turns/run-turn.rules.js';

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
    waitingApprovalIds: row.waitingApprovalIds,
    scheduleId: row.scheduleId,
    triggerId: row.triggerId,
    hookId: row.hookId,
    causedBy: causeOf(row),
    progress: row.progress,
    progressMessage: row.progressMessage,
    outputView: row.outputView,
    test: row.test,
    trial: isTrial(row),
    plan: row.plan,
    plannedRequests: row.plannedRequests,
    logLines: row.logLines,
    attempt: row.attempt,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    startAt: row.startAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    priority: -row.rank || 0,
    concurrencyKey: keyTextOf(row),
    queue: row.queue,
    debounce: presentDebounce(row),
    labels: row.labels,
    runsOn: row.runsOn ?? [],
    endReason: row.endReason,
    startedAt: row.startedAt.toISOString(),
    executionStartedAt: row.executionStartedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    durationMs: row.durationMs,
    cpuMs: row.cpuMs,
    peakMemoryBytes: row.peakMemoryBytes,
  };
}

export function presentSingleRun(row: SingleRunRow, files: FileDto[], wholeLog: WholeLogDto | null): RunDto {
  return {
    ...presentRun(row),
    inputs: new RawJson(row.inputs),
    output: row.output === null ? null : new RawJson(row.output),
    ...(row.queuedBehind !== null && { queuedBehind: row.queuedBehind }),
    ...(row.waitsBecause !== null && { waitsBecause: row.waitsBecause }),
    attempts: attemptsOf(row),
    network: row.network,
    files,
    wholeLog,
  };
}

/** Those before, and the one that the run itself tells of, once it has begun. */
function attemptsOf(row: SingleRunRow): RunAttemptDto[] {
  const earlier = row.earlier.map(({ startedAt, finishedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt.toISOString(),
  }));
  if (row.executionStartedAt === null || earlier.length >= row.attempt) return earlier;
  const { attempt, error, executionStartedAt, finishedAt, durationMs, network, logLines } = row;
  const before = earlier.reduce((sum, one) => sum + one.logLines, 0);
  const newest = {
    attempt,
    error,
    startedAt: executionStartedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    durationMs,
    network,
    logLines: logLines - before,
  };
  return [...earlier, newest];
}

export function presentHeldRun(run: RunDto, baseUrl: string): HeldRunDto {
  const id = run.status === 'awaiting_approval' ? run.approvalRequestId : (run.waitingApprovalIds[0] ?? null);
  return { ...run, approval: id === null ? null : { id, approveUrl: `${baseUrl}/approvals/${id}` } };
}
