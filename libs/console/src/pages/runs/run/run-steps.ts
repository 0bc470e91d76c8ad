import type { ApprovalRequest, Run } from '@gatehouse/client/operations';

import { durationText } from '../../../kit/moment.js';

export type StepState = 'done' | 'now' | 'failed' | 'stopped' | 'open';

/** One phase on a run's line of time. */
export interface RunStep {
  name: string;
  state: StepState;
  /** When it began; for the end, when the run ended. */
  at: string | null;
  /** What else there is to say, such as how long it took. */
  note: string | null;
}

type SteppedRun = Pick<
  Run,
  | 'phase'
  | 'status'
  | 'startedAt'
  | 'executionStartedAt'
  | 'finishedAt'
  | 'durationMs'
  | 'cpuMs'
  | 'peakMemoryBytes'
  | 'attempt'
  | 'nextAttemptAt'
  | 'queuedBehind'
  | 'runsOn'
  | 'startAt'
  | 'debounce'
  | 'waitsBecause'
  | 'approvalRequestId'
  | 'waitingApprovalIds'
>;

type Decision = Pick<ApprovalRequest, 'decidedAt' | 'status'>;

/** The phases of a run in their order: those behind it, the one that it is in, and those to come. */
export function runSteps(run: SteppedRun, decision: Decision | null, now: number): RunStep[] {
  const asked: RunStep = { name: 'Asked', state: 'done', at: run.startedAt, note: null };
  const held = heldStep(run, decision, now);
  if (run.phase === 'held') return [asked, held!, ...['Queued', 'Started', 'Ended'].map(open)];
  const isNeverQueued = run.phase === 'finished' && run.executionStartedAt === null && held !== null;
  const steps = [asked, ...(held ? [held] : [])];
  if (!isNeverQueued || decision?.status === 'completed') steps.push(queuedStep(run, decision, now));
  if (run.executionStartedAt !== null || run.phase !== 'finished') steps.push(startedStep(run, now));
  return [...steps, endedStep(run)];
}

function heldStep(run: SteppedRun, decision: Decision | null, now: number): RunStep | null {
  if (run.approvalRequestId === null) return null;
  if (run.phase === 'held') {
    return { name: 'Held', state: 'now', at: run.startedAt, note: `for ${since(run.startedAt, now)}` };
  }
  const isRefused = decision?.status === 'denied' || decision?.status === 'expired';
  const name = isRefused ? (decision.status === 'denied' ? 'Denied' : 'Expired') : 'Approved';
  const at = decision?.decidedAt ?? null;
  const note = at === null ? null : `after ${between(run.startedAt, at)}`;
  return { name, state: isRefused ? 'failed' : 'done', at, note };
}

function queuedStep(run: SteppedRun, decision: Decision | null, now: number): RunStep {
  const from = decision?.decidedAt ?? run.startedAt;
  if (run.phase === 'queued') {
    const { runsOn, queuedBehind: behind, waitsBecause = null } = run;
    // How many go before it says nothing where no worker may take it, and is not there in a copy that begins nothing.
    if (runsOn.length > 0 || behind === undefined)
      return { name: 'Queued', state: 'now', at: from, note: waitsBecause };
    const note =
      behind === 0
        ? 'next in line'
        : `behind ${behind >= 1000 ? '1,000 or more' : behind} ${behind === 1 ? 'run' : 'runs'}`;
    return { name: 'Queued', state: 'now', at: from, note: `${note}, for ${since(from, now)}` };
  }
  if (run.phase === 'delayed') {
    const { name, note } = run.debounce ? gathering(run.debounce) : LATER;
    return { name, state: 'now', at: run.startAt, note };
  }
  if (run.phase === 'waiting') {
    return { name: 'Waiting for its turn', state: 'now', at: from, note: run.waitsBecause ?? null };
  }
  const until = run.executionStartedAt ?? run.finishedAt;
  return {
    name: 'Queued',
    state: 'done',
    at: from,
    note: until === null ? null : `for ${between(from, until)}`,
  };
}

const LATER = { name: 'Starts later', note: 'until then it holds no place' };

function gathering({ starts }: NonNullable<Run['debounce']>): Pick<RunStep, 'name' | 'note'> {
  const so = starts === 1 ? '1 start so far' : `${starts} starts so far`;
  return { name: 'Waiting for further starts', note: `${so}; the newest counts` };
}

function startedStep(run: SteppedRun, now: number): RunStep {
  const at = run.executionStartedAt;
  if (['delayed', 'waiting', 'queued'].includes(run.phase)) return open('Started');
  if (run.phase === 'retrying') {
    const note = `attempt ${run.attempt} did not end well, the next one follows`;
    return { name: 'Waiting to try again', state: 'now', at: run.nextAttemptAt, note };
  }
  if (at === null) return { name: 'Starting', state: 'now', at: null, note: null };
  if (run.phase === 'finished') {
    return {
      name: 'Started',
      state: 'done',
      at,
      note: run.durationMs === null ? null : usedText(run, run.durationMs),
    };
  }
  const asks = run.waitingApprovalIds.length > 0 ? ', waits for approval' : '';
  return { name: 'Started', state: 'now', at, note: `running for ${since(at, now)}${asks}` };
}

function usedText({ cpuMs, peakMemoryBytes }: SteppedRun, durationMs: number): string {
  const parts = [
    `ran ${durationText(durationMs)}`,
    ...(cpuMs === null ? [] : [`processor ${durationText(cpuMs)}`]),
    ...(peakMemoryBytes === null ? [] : [`memory ${Math.ceil(peakMemoryBytes / 2 ** 20)} MiB`]),
  ];
  return parts.join(', ');
}

/** That somebody stopped it is nothing that went wrong. */
const END_STATES: Record<string, StepState> = { succeeded: 'done', cancelled: 'stopped' };
const ENDS: Record<string, string> = { succeeded: 'Succeeded', failed: 'Failed', cancelled: 'Cancelled' };

function endedStep(run: SteppedRun): RunStep {
  if (run.phase !== 'finished' || run.finishedAt === null) return open('Ended');
  const total = `${between(run.startedAt, run.finishedAt)} in all`;
  const state = END_STATES[run.status] ?? 'failed';
  return { name: ENDS[run.status] ?? 'Ended', state, at: run.finishedAt, note: total };
}

function open(name: string): RunStep {
  return { name, state: 'open', at: null, note: null };
}

function between(from: string, until: string): string {
  return durationText(Math.max(0, new Date(until).getTime() - new Date(from).getTime()));
}

function since(from: string, now: number): string {
  return durationText(Math.floor(Math.max(0, now - new Date(from).getTime()) / 1000) * 1000);
}
