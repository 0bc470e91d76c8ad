/**
 * In which order work ends when the process stops; each stage is over before the next one begins.
 *
 * 1. `taking`: no runs and builds are taken any more, and those in progress end. Requests are still served.
 * 2. `sending`: events, deliveries, mails, schedules and sweeps. The ends of runs are events, so this comes after them.
 * 3. `holding`: leases are renewed, and the process known to the others, until nothing is left that needs it.
 */
export const DRAIN_ORDER = ['taking', 'sending', 'holding'] as const;

/** When work ends while the process stops: with what takes runs, with what sends, or last with what holds leases. */
export type DrainStage = (typeof DRAIN_ORDER)[number];

export const DEFAULT_STAGE: DrainStage = 'sending';
