import { describe, expect, it } from 'vitest';

import { newId } from '../../core/crypto/index.js';
import { listeningTrigger } from './listening-trigger.fixture.js';
import { type FiredEvent, type ListeningTrigger, causeOf, causingRun, fits, isOfTestRun } from './matches.js';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

const event = (more: Partial<FiredEvent> = {}): FiredEvent => ({
  id: 'evt_1',
  workspaceId: 'wks_1',
  environmentId: 'env_1',
  type: 'run.failed',
  data: { error: 'x' },
  causedByRunId: null,
  traceparent: TRACEPARENT,
  hops: 0,
  chainEventId: null,
  ...more,
});

describe('fits', () => {
  it.each<[string, Partial<FiredEvent>, Partial<ListeningTrigger>, boolean]>([
    ['the same', {}, {}, true],
    ['of the whole workspace', { environmentId: null }, {}, true],
    ['of another environment', { environmentId: 'env_2' }, {}, false],
    ['that fits', {}, { filter: { error: 'x' } }, true],
    ['that does not fit', {}, { filter: { error: 'y' } }, false],
  ])('an event %s', (_, one, other, expected) => {
    expect(fits(event(one), listeningTrigger(other))).toBe(expected);
  });
});

describe('isOfTestRun', () => {
  it('is true of runs that are tests only', () => {
    expect(isOfTestRun(event({ data: { test: true } }))).toBe(true);
    expect(isOfTestRun(event({ data: { test: false } }))).toBe(false);
    expect(isOfTestRun(event({ type: 'ping', data: { test: true } }))).toBe(false);
  });
});

describe('causeOf', () => {
  const runId = newId('run');
  const run = { hops: 3, chainEventId: 'evt_0', byAgent: true };

  it('counts on from the run behind the event, and inherits the agent', () => {
    expect(causeOf(event({ causedByRunId: runId }), run)).toEqual({
      runId,
      eventId: 'evt_1',
      hops: 4,
      chainEventId: 'evt_0',
      byAgent: true,
      traceparent: TRACEPARENT,
    });
  });

  it('counts on from the event where a handler told of it, also where no run is known', () => {
    const told = { hops: 5, chainEventId: 'evt_9' };
    expect(causeOf(event(told), null)).toMatchObject({ hops: 6, chainEventId: 'evt_9' });
    expect(causeOf(event(told), run)).toMatchObject({ hops: 6, chainEventId: 'evt_9' });
    expect(causeOf(event({ ...told, hops: 1 }), run)).toMatchObject({ hops: 4 });
  });

  it('begins where no run is behind it', () => {
    expect(causeOf(event(), null)).toMatchObject({
      runId: null,
      hops: 1,
      chainEventId: 'evt_1',
      byAgent: false,
    });
    expect(causeOf(event({ causedByRunId: newId('run') }), null)).toMatchObject({ hops: 1 });
    const byPerson = { hops: 0, chainEventId: null, byAgent: false };
    const first = causeOf(event({ causedByRunId: runId }), byPerson);
    expect(first).toMatchObject({ hops: 1, chainEventId: 'evt_1' });
  });

  it('takes the run that the event names', () => {
    expect(causingRun(event({ data: { runId } }))).toBe(runId);
    expect(causingRun(event({ data: { runId: 'x' } }))).toBeNull();
    expect(causeOf(event({ type: 'approval.requested', data: { runId } }), run)).toMatchObject({ hops: 4 });
  });

  it('begins anew with the end of a chain, still as the agent', () => {
    const end = event({ type: 'trigger.disabled', causedByRunId: runId });
    expect(causeOf(end, run)).toMatchObject({ runId, hops: 1, chainEventId: 'evt_1', byAgent: true });
  });
});
