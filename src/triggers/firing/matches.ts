import { type Automation, mismatch } from '../../automations/index.js';
import { isId } from '../../core/crypto/index.js';
import type { DispatchedEvent, OutboxEvent } from '../../core/outbox/index.js';
import type { CausingRun } from '../../runs/index.js';
import type { Trigger } from '../trigger.entity.js';
import type { RunCause } from '../trigger.orders.js';

/** A trigger that is enabled when an event comes. */
export type ListeningTrigger = Automation &
  Pick<Trigger, 'eventType' | 'filter' | 'inputs' | 'authorUserId' | 'authorScriptChoice'>;

/** An event that is fired, as far as triggers take anything from it. */
export type FiredEvent = Omit<DispatchedEvent, 'createdAt'> & Pick<OutboxEvent, 'hops' | 'chainEventId'>;

/** A test run must start nothing real. */
export function isOfTestRun({ type, data }: Pick<DispatchedEvent, 'type' | 'data'>): boolean {
  return type.startsWith('run.') && data['test'] === true;
}

/** Whether a trigger of the event's workspace and type waits for it: its environment and filter fit. */
export function fits(event: FiredEvent, trigger: Pick<Trigger, 'environmentId' | 'filter'>): boolean {
  const here = event.environmentId === null || event.environmentId === trigger.environmentId;
  return here && mismatch(trigger.filter, event.data) === null;
}

/** The run that caused an event, or that the event names, such as the run of an approval. */
export function causingRun({
  causedByRunId,
  data,
}: Pick<FiredEvent, 'causedByRunId' | 'data'>): string | null {
  const named = data['runId'];
  return causedByRunId ?? (typeof named === 'string' && isId('run', named) ? named : null);
}

/**
 * What causes the runs by this event. `trigger.disabled` begins a new chain, so that a trigger that reports it still runs
 * after the chain before was stopped.
 *
 * @param run the one that caused it; null: none did, or it is gone
 */
export function causeOf(
  event: Omit<FiredEvent, 'workspaceId' | 'environmentId'>,
  run: CausingRun | null,
): RunCause {
  const chained = event.type === 'trigger.disabled' ? null : run;
  return {
    runId: causingRun(event),
    eventId: event.id,
    hops: Math.max(event.hops, chained?.hops ?? 0) + 1,
    chainEventId: event.chainEventId ?? chained?.chainEventId ?? event.id,
    byAgent: run?.byAgent ?? false,
    traceparent: event.traceparent,
  };
}
