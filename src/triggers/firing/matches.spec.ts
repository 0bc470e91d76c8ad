import { describe, expect, it } from 'vitest';

import { newId } from '../../core/crypto/ids.js';
import type { DispatchedEvent } from '../../core/outbox/event-consumers.js';
import { type ListeningTrigger, causeOf, causingRun, isOfTestRun, matchesOf } from './matches.js';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

const event = (more: Partial<DispatchedEvent> = {}): DispatchedEvent => ({
  id: 'evt_1',
  workspaceId: 'wks_1',
  environmentId: 'env_1',
  type: 'run.failed',
  data: { error: 'x' },
  causedByRunId: null,
  createdAt: new Date(),
  traceparent: TRACEPARENT,
  ...more,
});
const trigger = (more: Partial<ListeningTrigger> = {}): ListeningTrigger => ({
  id: 'trg_1',
  workspaceId: 'wks_1',
  environmentId: 'env_1',
  scriptId: 'scr_1',
  createdByUserId: null,
  authorUserId: null,
  byAgent: false,
  eventType: 'run.failed',
  filter: {},
  inputs: {},
  ...more,
});

describe('matchesOf', () => {
  it.each<[string, Partial<DispatchedEvent>, Partial<ListeningTrigger>, number]>([
    ['the same', {}, {}, 1],
    ['of the whole workspace', { environmentId: null }, {}, 1],
    ['of another environment', { environmentId: 'env_2' }, {}, 0],
    ['of another workspace', { workspaceId: 'wks_2' }, {}, 0],
    ['of another type', { type: 'run.started' }, {}, 0],
    ['that fits', {}, { filter: { error: 'x' } }, 1],
    ['that does not fit', {}, { filter: { error: 'y' } }, 0],
  ])('an event %s', (_, one, other, count) => {
    expect(matchesOf([event(one)], [trigger(other)])).toHaveLength(count);
  });

  it('pairs each event with each trigger, in the order of the events', () => {
    const pairs = matchesOf([event(), event({ id: 'evt_2' })], [trigger(), trigger({ id: 'trg_2' })]).map(
      ({ event: { id }, trigger: { id: by } }) => `${id} ${by}`,
    );
    expect(pairs).toEqual(['evt_1 trg_1', 'evt_1 trg_2', 'evt_2 trg_1', 'evt_2 trg_2']);
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
  const runs = new Map([[runId, { hops: 3, chainEventId: 'evt_0', byAgent: true }]]);

  it('counts on from the run behind the event, and inherits the agent', () => {
    expect(causeOf(event({ causedByRunId: runId }), runs)).toEqual({
      runId,
      hops: 4,
      chainEventId: 'evt_0',
      byAgent: true,
      traceparent: TRACEPARENT,
    });
  });

  it('begins where no run is behind it', () => {
    expect(causeOf(event(), runs)).toMatchObject({
      runId: null,
      hops: 1,
      chainEventId: 'evt_1',
      byAgent: false,
    });
    expect(causeOf(event({ causedByRunId: newId('run') }), runs)).toMatchObject({ hops: 1 });
    const byPerson = new Map([[runId, { hops: 0, chainEventId: null, byAgent: false }]]);
    const first = causeOf(event({ causedByRunId: runId }), byPerson);
    expect(first).toMatchObject({ hops: 1, chainEventId: 'evt_1' });
  });

  it('takes the run that the event names', () => {
    expect(causingRun(event({ data: { runId } }))).toBe(runId);
    expect(causingRun(event({ data: { runId: 'x' } }))).toBeNull();
    expect(causeOf(event({ type: 'approval.requested', data: { runId } }), runs)).toMatchObject({ hops: 4 });
  });

  it('begins anew with the end of a chain, still as the agent', () => {
    const end = event({ type: 'trigger.disabled', causedByRunId: runId });
    expect(causeOf(end, runs)).toMatchObject({ runId, hops: 1, chainEventId: 'evt_1', byAgent: true });
  });
});
