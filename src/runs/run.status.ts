export const RUN_STATUSES = ['awaiting_approval', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * Where a run is on its way, in this order. The status `running` covers all from `delayed` to `retrying`.
 * From any phase it may go to `finished`. Two lead back:
 * - from `starting` to `queued`, where the worker was lost before anything ran;
 * - from `retrying` to `queued` or `waiting`, when the next attempt is due. What may have run in part is tried again only
 *   where `retry` says so.
 */
export const RUN_PHASES = [
  'held',
  'delayed',
  'waiting',
  'queued',
  'starting',
  'executing',
  'retrying',
  'finished',
] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

export const RUN_INTERFACES = ['app', 'api', 'cli', 'mcp', 'schedule', 'trigger', 'hook'] as const;
export type RunInterface = (typeof RUN_INTERFACES)[number];

/** Why a run was cancelled without anybody asking for it, see `END_WORDS`. */
export const END_REASONS = ['expired', 'skipped', 'replaced'] as const;
export type EndReason = (typeof END_REASONS)[number];

export type RunOutcome = 'succeeded' | 'failed' | 'cancelled';

/** What asking for cancellation does, by phase: at once, once its processes are gone, or not at all. */
export const CANCELLATION: Readonly<Record<RunPhase, 'at_once' | 'by_worker' | 'refused'>> = {
  held: 'at_once',
  delayed: 'at_once',
  waiting: 'at_once',
  queued: 'at_once',
  starting: 'by_worker',
  executing: 'by_worker',
  retrying: 'at_once',
  finished: 'refused',
};
