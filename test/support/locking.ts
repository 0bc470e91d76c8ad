import { setTimeout as sleep } from 'node:timers/promises';

import type { PoolClient } from 'pg';
import { expect } from 'vitest';

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

/** Until a statement waits for what this connection has locked. Those of other tests wait for others. */
export async function untilSomebodyWaitsFor(holder: PoolClient): Promise<void> {
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))';
  await expect
    .poll(async () => (await database().query(waiting, [rows[0]!.pid])).rowCount)
    .toBeGreaterThan(0);
}
