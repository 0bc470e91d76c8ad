import { newId } from '../core/crypto/ids.js';
import type { SystemRunOrder } from '../runs/system-runs.js';

/** What starts a trigger's run besides the event. */
export interface OrderingTrigger {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  createdByUserId: string | null;
  byAgent: boolean;
}

export interface RunCause {
  runId: string | null;
  /** How many triggers the new run is away from what somebody did. */
  hops: number;
  /** An agent's run is at the beginning. */
  byAgent: boolean;
}

const NOBODYS: RunCause = { runId: null, hops: 1, byAgent: false };

/** The order of a run by a trigger; without a cause, for asking whether it would be refused. */
export function triggerOrder(
  trigger: OrderingTrigger,
  inputs: Record<string, unknown> = {},
  { runId, hops, byAgent }: RunCause = NOBODYS,
): SystemRunOrder {
  return {
    id: newId('run'),
    workspaceId: trigger.workspaceId,
    environmentId: trigger.environmentId,
    scriptId: trigger.scriptId,
    createdByUserId: trigger.createdByUserId,
    byAgent: trigger.byAgent || byAgent,
    inputs,
    origin: { interface: 'trigger', triggerId: trigger.id, causedByRunId: runId, hops },
  };
}
