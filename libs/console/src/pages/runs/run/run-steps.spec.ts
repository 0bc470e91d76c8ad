import { describe, expect, it } from 'vitest';

import { runSteps } from './run-steps.js';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 31) + seconds * 1000).toISOString();
const now = Date.UTC(2026, 0, 31) + 100_000;

const run: Parameters<typeof runSteps>[0] = {
  phase: 'finished',
  status: 'succeeded',
  startedAt: at(0),
  executionStartedAt: at(2),
  finishedAt: at(5),
  durationMs: 2_500,
  cpuMs: 400,
  peakMemoryBytes: 20_000_000,
  approvalRequestId: null,
  waitingApprovalIds: [],
  attempt: 1,
  nextAttemptAt: null,
  startAt: null,
  debounce: null,
  runsOn: [],
};

const lines = (...args: Parameters<typeof runSteps>): string[] =>
  runSteps(...args).map(({ name, state, note }) => [state, name, note].filter(Boolean).join(' · '));

describe('runSteps', () => {
  it('says of a run that ended how long each part took', () => {
    expect(lines(run, null, now)).toEqual([
      'done · Asked',
      'done · Queued · for 2 s',
      'done · Started · ran 2.5 s, processor 400 ms, memory 20 MiB',
      'done · Succeeded · 5 s in all',
    ]);
  });

  it('counts who is before a run that waits', () => {
    const queued = {
      ...run,
      phase: 'queued',
      status: 'running',
      executionStartedAt: null,
      finishedAt: null,
    } as const;
    expect(lines({ ...queued, queuedBehind: 3 }, null, now)[1]).toBe(
      'now · Queued · behind 3 runs, for 1 min 40 s',
    );
    expect(lines({ ...queued, queuedBehind: 0 }, null, now)[1]).toBe(
      'now · Queued · next in line, for 1 min 40 s',
    );
  });

  it('says which worker a run waits for that asks for tags', () => {
    const queued = {
      ...run,
      phase: 'queued',
      status: 'running',
      executionStartedAt: null,
      finishedAt: null,
      waitsBecause: 'No worker that is running carries the tag “eu-vpc”. It begins once one does.',
    } as const;
    expect(lines({ ...queued, runsOn: ['eu-vpc'], queuedBehind: 0 }, null, now)[1]).toBe(
      'now · Queued · No worker that is running carries the tag “eu-vpc”. It begins once one does.',
    );
  });

  it('says why nothing begins where nobody counts who is before it', () => {
    const waitsBecause = 'This service is a restored copy.';
    const queued = { ...run, phase: 'queued', status: 'running', finishedAt: null, waitsBecause } as const;
    expect(lines(queued, null, now)[1]).toBe(`now · Queued · ${waitsBecause}`);
  });

  it('says that a run waits for further starts, and how many there were', () => {
    const delayed = {
      ...run,
      phase: 'delayed',
      status: 'running',
      executionStartedAt: null,
      finishedAt: null,
      startAt: at(130),
    } as const;
    expect(lines(delayed, null, now)[1]).toBe('now · Starts later · until then it holds no place');
    const debounce = { key: 'acme', starts: 1, until: at(400) };
    expect(lines({ ...delayed, debounce }, null, now)[1]).toBe(
      'now · Waiting for further starts · 1 start so far; the newest counts',
    );
    expect(lines({ ...delayed, debounce: { ...debounce, starts: 3 } }, null, now)[1]).toBe(
      'now · Waiting for further starts · 3 starts so far; the newest counts',
    );
  });

  it('shows a held run, and what was decided of it', () => {
    const held = { ...run, approvalRequestId: 'apr_1' };
    const waiting = {
      ...held,
      phase: 'held',
      status: 'awaiting_approval',
      executionStartedAt: null,
      finishedAt: null,
    } as const;
    expect(lines(waiting, null, now)).toEqual([
      'done · Asked',
      'now · Held · for 1 min 40 s',
      'open · Queued',
      'open · Started',
      'open · Ended',
    ]);
    expect(lines(held, { status: 'completed', decidedAt: at(1) }, now)[1]).toBe(
      'done · Approved · after 1 s',
    );
    const denied = { ...held, status: 'cancelled', executionStartedAt: null } as const;
    expect(lines(denied, { status: 'denied', decidedAt: at(5) }, now)).toEqual([
      'done · Asked',
      'failed · Denied · after 5 s',
      'stopped · Cancelled · 5 s in all',
    ]);
  });

  it('does not say that a run was started that was cancelled before', () => {
    const cancelled = { ...run, status: 'cancelled', executionStartedAt: null, durationMs: null } as const;
    expect(lines(cancelled, null, now)).toEqual([
      'done · Asked',
      'done · Queued · for 5 s',
      'stopped · Cancelled · 5 s in all',
    ]);
  });
});
