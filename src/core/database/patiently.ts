import { setTimeout as sleep } from 'node:timers/promises';

import type { PoolClient } from 'pg';

import { isDeadlock, isLockTimeout } from './database-errors.js';

/** For so long a change waits for a table: whoever wants that table meanwhile waits behind it. */
const LOCK_MS = 2_000;
/** And for so long they are let through before it is tried again. */
const PAUSE_MS = 1_000;
const PATIENCE_MS = 10 * 60_000;

/**
 * Changes tables that others use: a change that does not get its table soon, or waits for somebody who waits
 * for it, gives way and is made again from where it was.
 *
 * @param client on which the changes are made
 * @throws Error in a sentence for the operator where a table is held for minutes
 */
export async function patiently(client: PoolClient, change: () => Promise<unknown>): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_MS}`);
  const deadline = performance.now() + PATIENCE_MS;
  for (let told = false; ; told = true) {
    try {
      await change();
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (performance.now() > deadline) throw new Error(HELD, { cause: error });
    }
    if (!told) {
      console.log(
        'A migration waits for a table that something else uses. It is tried again until that ends.',
      );
    }
    await sleep(PAUSE_MS);
  }
}

const HELD = `The database cannot be brought up to date: for ${PATIENCE_MS / 60_000} minutes something else has held a table that a migration changes. End it (pg_stat_activity names it), then start again.`;
