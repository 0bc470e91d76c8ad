import type { Automation, Rendered } from '../automations/index.js';
import { newId } from '../core/crypto/index.js';
import type { AutomatedRunOrder } from '../runs/index.js';

export interface RunCause {
  runId: string | null;
  eventId: string;
  /** How many triggers the new run is away from what somebody did. */
  hops: number;
  /** The event that began the chain. */
  chainEventId: string;
  /** The chain began with a run of an agent. */
  byAgent: boolean;
  /** The event's trace, which the run goes on with. */
  traceparent: string | null;
}

export function triggerOrder(
  trigger: Automation,
  { inputs, problem }: Rendered,
  { runId, eventId, hops, chainEventId, byAgent, traceparent }: RunCause,
): AutomatedRunOrder {
  return {
    ...trigger,
    id: newId('run'),
    byAgent: trigger.byAgent || byAgent,
    inputs,
    problem,
    traceparent,
    origin: {
      interface: 'trigger',
      triggerId: trigger.id,
      causedByRunId: runId,
      causedByEventId: eventId,
      hops,
      chainEventId,
    },
  };
}
