import { setTimeout as sleep } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
/** For what is done and then looked at. */
const ENOUGH_MS = 60_000;

/** What happens from now on is counted in one hour: where its end is near, the next one is waited for. */
export async function withinOneHour(): Promise<void> {
  const left = HOUR_MS - (Date.now() % HOUR_MS);
  if (left < ENOUGH_MS) await sleep(left);
}
