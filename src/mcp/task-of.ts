import type { InputRequest } from '@modelcontextprotocol/server';

import type { HeldRunDto } from '../runs/index.js';
import type { ClientAbilities } from './client-capabilities.js';
import type { McpSdk } from './mcp-sdk.js';

type TaskStatus = 'working' | 'input_required' | 'completed' | 'cancelled';

const POLL_MS = 2_000;

/** A run as the protocol shows a task. */
interface RunTask {
  taskId: string;
  status: TaskStatus;
  statusMessage: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** null: for as long as the run is kept. */
  ttlMs: null;
  pollIntervalMs: number;
  inputRequests?: { approve: InputRequest };
}

export function taskOf(sdk: McpSdk, run: HeldRunDto, { urlElicitation }: ClientAbilities): RunTask {
  const asks = run.approval !== null && urlElicitation;
  return {
    taskId: run.id,
    status: asks ? 'input_required' : STATUSES[run.status],
    statusMessage: messageOf(run),
    createdAt: run.startedAt,
    lastUpdatedAt: run.finishedAt ?? run.executionStartedAt ?? run.startedAt,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
    ...(asks && { inputRequests: { approve: approvalRequest(sdk, run) } }),
  };
}

/** Shows a person where to approve a run, or a request of it that waits. Only what they do there counts. */
export function approvalRequest(sdk: McpSdk, run: HeldRunDto): InputRequest {
  return sdk.inputRequired.elicitUrl({ message: `${askedIn(run)}.`, url: run.approval!.approveUrl });
}

function askedIn({ status, script }: HeldRunDto): string {
  return status === 'awaiting_approval'
    ? `A person has to approve this run of ${script.slug} before it begins`
    : `A person has to approve a request that this run of ${script.slug} wants to send`;
}

/** A run that failed is a task that is done: its result says so. */
const STATUSES: Readonly<Record<HeldRunDto['status'], TaskStatus>> = {
  awaiting_approval: 'working',
  running: 'working',
  succeeded: 'completed',
  failed: 'completed',
  cancelled: 'cancelled',
};

function messageOf(run: HeldRunDto): string {
  if (run.approval) return `${askedIn(run)}: ${run.approval.approveUrl}`;
  if (run.phase === 'finished') return run.error ?? `The run ${run.status}.`;
  if (run.phase === 'retrying')
    return `Attempt ${run.attempt} did not end well. The next is at ${run.nextAttemptAt}.`;
  return run.progressMessage ?? run.waitsBecause ?? `The run is ${run.phase}.`;
}
