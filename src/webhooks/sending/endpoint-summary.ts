import type { RecordedAttempt } from './attempt.js';

export const MOST_FAILURES = 20;
/** The status by which a receiver says that it wants nothing any more. */
export const GONE = 410;

/** What attempts at one endpoint, in the order in which they ended, mean for it. */
export interface EndpointSummary {
  id: string;
  anyOk: boolean;
  /** Those since the last success, or all where there was none. */
  failures: number;
  lastStatus: number | null;
  lastAt: Date | null;
  /** Whether the worker is done with it. */
  released: boolean;
  /** Why it is to be disabled whatever its count says, or null. */
  reason: string | null;
}

export function summarise(
  id: string,
  attempts: readonly RecordedAttempt[],
  released: boolean,
): EndpointSummary {
  const summary: EndpointSummary = {
    id,
    anyOk: false,
    failures: 0,
    lastStatus: null,
    lastAt: null,
    released,
    reason: null,
  };
  for (const attempt of attempts) {
    summary.failures = attempt.ok ? 0 : summary.failures + 1;
    summary.anyOk ||= attempt.ok;
    summary.lastStatus = attempt.status;
    summary.lastAt = attempt.at;
    if (attempt.status === GONE) summary.reason = 'the receiver answered 410 Gone';
    else if (summary.failures >= MOST_FAILURES) summary.reason ??= tooManyFailures(attempt);
  }
  return summary;
}

export function tooManyFailures({ status, error }: Pick<RecordedAttempt, 'status' | 'error'>): string {
  const last = error ?? `it answered ${status}`;
  return `${MOST_FAILURES} attempts in a row failed; of the last one: ${last}`;
}
