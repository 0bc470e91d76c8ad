/** Seconds until the next attempt, after each that failed: enough for a server or a chat that is away for an hour. */
const WAITS = [5, 60, 300, 900, 2700];

/** After so many attempts a mail, a notice or an alert is given up. */
export const MESSAGE_ATTEMPTS = WAITS.length + 1;

/** Seconds to wait after the attempt of that number (from 1) failed, or null: it is given up. */
export function secondsUntilRetry(attempt: number): number | null {
  return WAITS[attempt - 1] ?? null;
}
