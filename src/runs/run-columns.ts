import { columns, type RowOf } from '../core/database/index.js';
import type { EarlierAttempt } from './attempts/run-attempts.repository.js';
import { Run } from './run.entity.js';

/** What a run is presented by, also in lists: nothing that may be large. */
export const PRESENTED = [
  'id',
  'scriptId',
  'scriptSlug',
  'version',
  'status',
  'phase',
  'error',
  'startedByUserId',
  'credentialType',
  'credentialName',
  'interface',
  'approvalRequestId',
  'scheduleId',
  'triggerId',
  'hookId',
  'causeType',
  'causeId',
  'progress',
  'progressMessage',
  'outputView',
  'test',
  'plan',
  'plannedRequests',
  'logLines',
  'attempt',
  'nextAttemptAt',
  'startAt',
  'expiresAt',
  'rank',
  'concurrencyKey',
  'queue',
  'debounceKey',
  'debounceUntil',
  'debounceStarts',
  'labels',
  'endReason',
  'startedAt',
  'executionStartedAt',
  'finishedAt',
  'durationMs',
  'cpuMs',
  'peakMemoryBytes',
  'runsOn',
] as const;

export const RUN_COLUMNS = columns(Run, 'r', ...PRESENTED);

/** A run as the repository reads it, with the name of its environment. */
export type RunRow = RowOf<typeof RUN_COLUMNS> & {
  environment: string;
  /** Of the approvals that requests of it wait for, the oldest first. */
  waitingApprovalIds: string[];
};

/** A run that is read alone, with what may be large. */
export type SingleRunRow = RunRow &
  Pick<Run, 'network'> & {
    /** As JSON text, which is passed on as it is. */
    inputs: string;
    output: string | null;
    hasFiles: boolean;
    /** While it starts: what its version asks for beyond the usual, in MiB. */
    askedMemory: number | null;
    /** While it is queued: how many are before it. */
    queuedBehind: number | null;
    /** While it waits: why, in a sentence. */
    waitsBecause: string | null;
    /** Those that did not end well. */
    earlier: EarlierAttempt[];
  };

/** What is written of every run that begins, whoever starts it, besides its phase. */
export const BEGUN = [
  'id',
  'workspaceId',
  'environmentId',
  'scriptId',
  'scriptSlug',
  'versionId',
  'version',
  'status',
  'approvalRequestId',
  'inputs',
  'startedByUserId',
  'byAgent',
  'interface',
  'test',
  'plan',
  'causeType',
  'causeId',
  'traceparent',
] as const;
