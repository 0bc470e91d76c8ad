import type { RecordedAttempt } from './attempt.js';

export const MOST_FAILURES = 20;
/** With this status a receiver says that it wants no more events. */
export const GONE = 410;

/** What becomes of an endpoint by attempts, in the order in which they ended. */
export interface EndpointSummary {
  id: string;
  anyOk: boolean;
  /** In a row since the last success among them, or all where there was none. */
  failures: number;
  lastStatus: number | null;
  lastAt: Date;
  /** Why it is to be disabled whatever its count says, or null. */
  reason: string | null;
}

export function summarise(id: string, attempts: readonly RecordedAttempt[]): EndpointSummary {
  const { status: lastStatus, at: lastAt } = attempts.at(-1)!;
  const summary: EndpointSummary = { id, anyOk: false, failures: 0, lastStatus, lastAt, reason: null };
  for (const attempt of attempts) {
    summary.failures = attempt.ok ? 0 : summary.failures + 1;
    summary.anyOk ||= attempt.ok;
    if (attempt.status === GONE) summary.reason = 'the receiver answered 410 Gone';
    else if (summary.failures >= MOST_FAILURES) summary.reason ??= tooManyFailures(attempt);
  }
  return summary;
}

export function tooManyFailures({ status, error }: Pick<RecordedAttempt, 'status' | 'error'>): string {
  const last = error ?? `it answered ${status}`;
  return `${MOST_FAILURES} attempts in a row failed; of the last one: ${last}`;
}
