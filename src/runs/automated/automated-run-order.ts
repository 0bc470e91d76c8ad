/** A run that a schedule wants, or a trigger that an event fired. */
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
  /** Why no run can be made of it although it is due, or null. */
  problem: string | null;
  /** The trace that it goes on with; null: none. */
  traceparent: string | null;
  origin:
    | { interface: 'schedule'; scheduleId: string }
    | {
        interface: 'trigger';
        triggerId: string;
        causedByRunId: string | null;
        hops: number;
        /** The event that began the chain; null for an order that is only tried. */
        chainEventId: string | null;
      };
}

/** An order that made no run, nor will a later one of the same schedule or trigger. `reason` is its `disabledReason`. */
export interface RefusedOrder {
  id: string;
  reason: string;
}
