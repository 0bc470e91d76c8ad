import type { Automation } from '../../automations/automation.kinds.js';
import { isId } from '../../core/crypto/ids.js';
import type { DispatchedEvent } from '../../core/outbox/event-consumers.js';
import { type Filter, mismatch } from '../matching/filter.js';
import type { RunCause } from '../trigger.orders.js';

/** A trigger that is switched on, as it is when events come. */
export interface ListeningTrigger extends Automation {
  eventType: string;
  filter: Filter;
  inputs: Record<string, unknown>;
  authorUserId: string | null;
}

/** An event that a trigger waited for. */
export interface Match {
  event: DispatchedEvent;
  trigger: ListeningTrigger;
}

/** A run that an event tells of, as far as it hands something on. */
export interface RunBehind {
  hops: number;
  /** null: no trigger started it. */
  chainEventId: string | null;
  byAgent: boolean;
}

/** So many triggers may stand between a run and what somebody did. */
export const MOST_HOPS = 8;

/** Tries must not set off anything real. */
export function isOfTestRun({ type, data }: Pick<DispatchedEvent, 'type' | 'data'>): boolean {
  return type.startsWith('run.') && data['test'] === true;
}

/** Every pair of an event and a trigger of its workspace, environment and type whose filter it fits, in the order of the events. */
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

/** The run behind an event: of events that tell of a run without being its own, the one that they name. */
export function causingRun({ causedByRunId, data }: DispatchedEvent): string | null {
  const named = data['runId'];
  return causedByRunId ?? (typeof named === 'string' && isId('run', named) ? named : null);
}

/**
 * What a run by this event is caused by. That a trigger was switched off begins a new chain: a run that tells somebody
 * of it is not part of the chain that was stopped.
 */
export function causeOf(event: DispatchedEvent, runs: ReadonlyMap<string, RunBehind>): RunCause {
  const runId = causingRun(event);
  const run = runId === null ? undefined : runs.get(runId);
  const chained = event.type === 'trigger.disabled' ? undefined : run;
  return {
    runId,
    hops: (chained?.hops ?? 0) + 1,
    chainEventId: chained?.chainEventId ?? event.id,
    byAgent: run?.byAgent ?? false,
  };
}
