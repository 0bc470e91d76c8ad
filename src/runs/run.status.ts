export const RUN_STATUSES = ['awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Where a run is on its way; `running` covers queued, starting and executing. */
export const RUN_PHASES = ['held', 'queued', 'starting', 'executing', 'finished'] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

export const RUN_INTERFACES = ['app', 'api', 'cli', 'mcp', 'schedule', 'trigger'] as const;
export type RunInterface = (typeof RUN_INTERFACES)[number];

export type RunOutcome = 'succeeded' | 'failed' | 'cancelled';

/** What may follow what. The statements in the repositories name the phase that they come from. */
export const RUN_TRANSITIONS: Readonly<Record<RunPhase, readonly RunPhase[]>> = {
  /** approved / cancelled, denied, expired */
  held: ['queued', 'finished'],
  /** claimed by a worker / cancelled */
  queued: ['starting', 'finished'],
  /** begun / could not begin / its worker was lost before anything ran, so another one may take it */
  starting: ['executing', 'finished', 'queued'],
  /** ended, or its worker was lost: never again, since it may have run in part */
  executing: ['finished'],
  finished: [],
};

export function mayFollow(from: RunPhase, to: RunPhase): boolean {
  return RUN_TRANSITIONS[from].includes(to);
}

/** What asking for cancellation does, by phase: at once, once its processes are gone, or not at all. */
export const CANCELLATION: Readonly<Record<RunPhase, 'at_once' | 'by_worker' | 'refused'>> = {
  held: 'at_once',
  queued: 'at_once',
  starting: 'by_worker',
  executing: 'by_worker',
  finished: 'refused',
};
