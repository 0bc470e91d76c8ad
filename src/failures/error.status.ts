export const ERROR_STATUSES = ['open', 'resolved', 'ignored'] as const;
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

interface State {
  status: ErrorStatus;
  ignoreUntil: Date | null;
  statusAt: Date;
}

/** What is ignored until a moment is open from then on. */
export function statusAt({ status, ignoreUntil }: Omit<State, 'statusAt'>, now: Date): ErrorStatus {
  return status === 'ignored' && ignoreUntil !== null && ignoreUntil <= now ? 'open' : status;
}

/** Whether a failure at that moment brings the error back: it was resolved before, or is ignored no longer. */
export function returnsBy(state: State, failedAt: Date): boolean {
  if (state.status === 'resolved') return failedAt > state.statusAt;
  return state.status === 'ignored' && statusAt(state, failedAt) === 'open';
}
