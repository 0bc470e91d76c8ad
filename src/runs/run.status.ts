export const RUN_STATUSES = ['awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * Where a run is on its way, in this order; `running` covers queued, starting and executing. From any it may go to
 * `finished`. It goes back only from starting to queued, where its worker was lost before anything ran: what may have
 * run in part never runs again.
 */
export const RUN_PHASES = ['held', 'queued', 'starting', 'executing', 'finished'] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

export const RUN_INTERFACES = ['app', 'api', 'cli', 'mcp', 'schedule', 'trigger'] as const;
export type RunInterface = (typeof RUN_INTERFACES)[number];

export type RunOutcome = 'succeeded' | 'failed' | 'cancelled';

/** What asking for cancellation does, by phase: at once, once its processes are gone, or not at all. */
export const CANCELLATION: Readonly<Record<RunPhase, 'at_once' | 'by_worker' | 'refused'>> = {
  held: 'at_once',
  queued: 'at_once',
  starting: 'by_worker',
  executing: 'by_worker',
  finished: 'refused',
};
