import type { RawJson } from '../../core/json/index.js';
import type { AskRule } from '../../scripts/index.js';
import type { Run } from '../run.entity.js';

/** Inputs with defaults filled in; as they are where they do not fit. */
export interface FittedInputs {
  inputs: RawJson;
  /** Why they do not fit, or null. */
  problem: string | null;
  /** The script's rule that asks about inputs, where these are such; null: it asks nothing about them. */
  ask: AskRule | null;
  /** What was checked, and against which version and rule. */
  of: { inputs: Record<string, unknown>; versionId: string | null; ask: AskRule | null };
}

/** A run that a schedule wants, a trigger that an event fired, or a hook that got a request. */
export interface AutomatedRunOrder {
  /** The id of the run to be. The caller makes it, to record it in the same statement as the firing. */
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  /** Whose schedule or trigger it is; null where an API key made it. */
  createdByUserId: string | null;
  /** Made or changed through an agent, or fired by an event that an agent's run caused. */
  byAgent: boolean;
  inputs: Record<string, unknown>;
  /** The inputs, checked before the transaction; without it, they are checked in it. */
  fitted?: FittedInputs;
  /** Why no run can be made of it although it is due, or null. */
  problem: string | null;
  /** The trace that it goes on with; null: none. */
  traceparent: string | null;
  origin:
    | { interface: 'schedule'; scheduleId: string }
    | ({ interface: 'hook'; hookId: string } & RunCausation)
    | ({ interface: 'trigger'; triggerId: string } & RunCausation);
}

/** What stands before a run that another one caused. */
interface RunCausation {
  causedByRunId: string | null;
  hops: number;
  /** The event that began the chain; null: none did, or the order is only tried. */
  chainEventId: string | null;
  /** The event that fired the trigger; null: none did. */
  causedByEventId: string | null;
}

/** A run that causes another: what the other takes over from it. */
export type CausingRun = Pick<Run, 'hops' | 'chainEventId' | 'byAgent'>;

/** So many triggers, hooks and handlers may stand between a run and what somebody did. */
export const MOST_HOPS = 8;

/** An order that made no run, nor will a later one of the same schedule or trigger. `reason` is its `disabledReason`. */
export interface RefusedOrder {
  id: string;
  reason: string;
}
