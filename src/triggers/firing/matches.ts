import type { Automation } from '../../automations/index.js';
import { isId } from '../../core/crypto/ids.js';
import type { DispatchedEvent } from '../../core/outbox/event-consumers.js';
import type { Run } from '../../runs/index.js';
import { mismatch } from '../matching/filter.js';
import type { Trigger } from '../trigger.entity.js';
import type { RunCause } from '../trigger.orders.js';

/** A trigger that is enabled when events come. */
export type ListeningTrigger = Automation & Pick<Trigger, 'eventType' | 'filter' | 'inputs' | 'authorUserId'>;

/** An event that a trigger waited for. */
export interface Match {
  event: DispatchedEvent;
  trigger: ListeningTrigger;
}

/** The run that an event tells of: what the runs by this event take over from it. */
export type CausingRun = Pick<Run, 'hops' | 'chainEventId' | 'byAgent'>;

/** So many triggers may stand between a run and what somebody did. */
export const MOST_HOPS = 8;

/** A test run must start nothing real. */
export function isOfTestRun({ type, data }: Pick<DispatchedEvent, 'type' | 'data'>): boolean {
  return type.startsWith('run.') && data['test'] === true;
}

/** Every event with each trigger of its workspace, environment and type whose filter it fits, in the order of the events. */
export function matchesOf(
  events: readonly DispatchedEvent[],
  triggers: readonly ListeningTrigger[],
): Match[] {
  const listening = new Map<string, ListeningTrigger[]>();
  for (const trigger of triggers) {
    const kind = kindOf(trigger.workspaceId, trigger.eventType);
    const others = listening.get(kind);
    if (others) others.push(trigger);
    else listening.set(kind, [trigger]);
  }
  return events.flatMap((event) =>
    (listening.get(kindOf(event.workspaceId, event.type)) ?? [])
      .filter(
        ({ environmentId, filter }) =>
          (event.environmentId === null || event.environmentId === environmentId) &&
          mismatch(filter, event.data) === null,
      )
      .map((trigger) => ({ event, trigger })),
  );
}

export function kindOf(workspaceId: string, type: string): string {
  return `${workspaceId} ${type}`;
}

/** The run that caused an event, or that the event names, such as the run of an approval. */
export function causingRun({ causedByRunId, data }: DispatchedEvent): string | null {
  const named = data['runId'];
  return causedByRunId ?? (typeof named === 'string' && isId('run', named) ? named : null);
}

/**
 * What causes a run by this event. `trigger.disabled` begins a new chain, so that a trigger that reports it still runs
 * after the chain before was stopped.
 */
export function causeOf(event: DispatchedEvent, runs: ReadonlyMap<string, CausingRun>): RunCause {
  const runId = causingRun(event);
  const run = runId === null ? undefined : runs.get(runId);
  const chained = event.type === 'trigger.disabled' ? undefined : run;
  return {
    runId,
    hops: (chained?.hops ?? 0) + 1,
    chainEventId: chained?.chainEventId ?? event.id,
    byAgent: run?.byAgent ?? false,
    traceparent: event.traceparent,
  };
}
