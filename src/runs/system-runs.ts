/** A run that no request asks for: by a schedule, or by a trigger that an event fired. */
export interface SystemRunOrder {
  /** A new run id: making it is the caller's, so that it can be recorded in the same statement as the firing. */
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

/** Why an order made no run, in words for `disabledReason`: none of its kind will ever. */
export interface RefusedOrder {
  id: string;
  reason: string;
}
