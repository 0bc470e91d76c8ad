import { setTimeout as sleep } from 'node:timers/promises';

import { database } from './gatehouse.js';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Statements, in one transaction, that lock a whole table which other tests use meanwhile: they give up their place in
 * the queue long before anybody finds himself in a deadlock, and try again.
 */
export async function lockingBriefly(statements: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await database().query(`SET LOCAL lock_timeout = '50ms'; ${statements}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
