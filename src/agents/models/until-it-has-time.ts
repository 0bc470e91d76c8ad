import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const MOST_REQUESTS = 8;

/**
 * Sends a request again while the endpoint has too much to do: after as long as it says, or ever longer. The last response is
 * returned as it is where waiting on would take too long.
 *
 * @param until by `performance.now()`
 */
export async function untilItHasTime(
  send: () => Promise<Response>,
  until: number,
  signal: AbortSignal | null,
): Promise<Response> {
  for (let requests = 1; ; requests++) {
    const response = await send();
    const asked = retryAfterOf(response);
    const isBusy = response.status === 429 || (response.status === 503 && asked !== null);
    if (!isBusy || requests === MOST_REQUESTS) return response;
    const wait = asked ?? backOff(requests);
    if (performance.now() + wait >= until) return response;
    await response.body?.cancel();
    await sleep(wait, undefined, signal ? { signal } : {});
  }
}

/** Doubled each time, and not the same for all who were sent away at once. */
function backOff(requests: number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** (requests - 1), LONGEST_WAIT_MS);
  return most / 2 + (Math.random() * most) / 2;
}

/** In milliseconds; null where it says nothing that can be read. */
function retryAfterOf({ headers }: Response): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
