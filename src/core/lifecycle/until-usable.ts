import { setTimeout as sleep } from 'node:timers/promises';

import { ServerUnusable } from './server-unusable.js';

const TRY_EVERY_MS = 500;

/**
 * Checks until it succeeds, for so long while the server may be coming up, and says that it waits.
 *
 * @throws ServerUnusable of the last check
 */
export async function untilUsable(
  place: string,
  check: () => Promise<unknown>,
  seconds: number,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (let told = false; ; told = true) {
    try {
      await check();
      return;
    } catch (error) {
      if (!(error instanceof ServerUnusable && error.mayPass) || performance.now() >= deadline) throw error;
    }
    if (!told) console.log(`Waiting up to ${seconds} s for ${place} …`);
    await sleep(TRY_EVERY_MS);
  }
}
