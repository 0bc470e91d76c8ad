import { cutText } from '../../../libs/cut-text/index.js';
import type { RunStatus } from '../run.status.js';

export const OPERATION_KINDS = ['cancel', 'rerun'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export const OPERATION_STATUSES = ['running', 'completed', 'cancelled', 'failed'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** What each kind is for: what has ended cannot be cancelled, and what goes on is not doubled. */
export const STATUSES_FOR = {
  cancel: ['awaiting_approval', 'running'],
  rerun: ['succeeded', 'failed', 'cancelled'],
} as const satisfies Record<OperationKind, readonly RunStatus[]>;

export const MOST_RUNS_OF_AN_OPERATION = 10_000;
export const USUAL_RUNS_OF_AN_OPERATION = 1_000;

/** A workspace has so many in progress at once. */
export const MOST_OPERATIONS = 3;

/** So many runs that were left out are named, with the reason of each. */
export const MOST_NAMED = 100;

/** What has no room to go on ends after this long. */
export const OPERATION_HOURS = 24;

/** What became of one of its runs. */
export interface RunResult {
  runId: string;
  result: 'done' | 'skipped' | 'failed';
  reason: string | null;
}

export interface LeftOutRun {
  runId: string;
  result: 'skipped' | 'failed';
  reason: string;
}

const LONGEST_REASON = 300;

export const done = (runId: string): RunResult => ({ runId, result: 'done', reason: null });

export const leftOut = (result: LeftOutRun['result'], runId: string, reason: string): RunResult => ({
  runId,
  result,
  reason: cutText(reason, LONGEST_REASON),
});

export const skipped = (runId: string, reason: string): RunResult => leftOut('skipped', runId, reason);
