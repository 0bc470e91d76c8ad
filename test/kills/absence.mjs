import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;
/** That many responses in a row mean that it is there. */
const STEADY = 10;
const GIVE_UP_MS = 120_000;

/**
 * Seconds from now until the service responds again, measured by somebody who reads; 0 where it never stopped.
 * null: it did not come back.
 */
export async function absence(api) {
  const began = Date.now();
  let away = false;
  let backAt = 0;
  for (let inARow = 0; inARow < STEADY; await sleep(LOOK_EVERY_MS)) {
    if (Date.now() - began > GIVE_UP_MS) return null;
    const answer = await api.get('/v1/workspace').catch(() => null);
    if (answer?.status === 200) {
      if (inARow === 0) backAt = Date.now();
      inARow += 1;
    } else {
      away = true;
      inARow = 0;
    }
  }
  return away ? (backAt - began) / 1000 : 0;
}
