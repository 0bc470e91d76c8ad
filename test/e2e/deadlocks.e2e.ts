import type { PoolClient } from 'pg';
import { expect, it } from 'vitest';

import { database } from '../support/gatehouse.js';
import { newTriggerWorld } from '../support/triggers.js';

const backendOf = async (client: PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

/** Each looks for a deadlock once, when it has waited for `deadlock_timeout`, and gives way if there is one. */
const looksForDeadlocksNoMore = async (pid: number): Promise<boolean> =>
  (
    await database().query(
      `SELECT FROM pg_locks WHERE pid = $1 AND NOT granted
        AND waitstart < now() - 4 * current_setting('deadlock_timeout')::interval`,
      [pid],
    )
  ).rowCount === 1;

const somebodyWaitsFor = async (pid: number): Promise<boolean> =>
  (await database().query('SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [pid]))
    .rowCount === 1;

it('A change that is ended because it and another wait for each other is made again', async () => {
  const { workspace, api, script } = await newTriggerWorld();
  const gate = await database().connect();
  const other = await database().connect();
  try {
    const gatePid = await backendOf(gate);
    const otherPid = await backendOf(other);
    await gate.query('BEGIN');
    // Only a change that reads the row as it is waits for this, and none that merely refers to it.
    await gate.query('SELECT FROM scripts WHERE id = $1 FOR NO KEY UPDATE', [script.id]);
    await other.query('BEGIN');
    await other.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspace.id]);

    const creating = api.post(`/v1/scripts/${script.slug}/triggers`, { name: 'T', eventType: 'run.failed' });
    await expect.poll(() => somebodyWaitsFor(gatePid)).toBe(true);
    const waiting = other.query('SELECT FROM environments WHERE id = $1 FOR NO KEY UPDATE', [
      workspace.environmentId,
    ]);
    await expect.poll(() => looksForDeadlocksNoMore(otherPid)).toBe(true);
    await gate.query('COMMIT');
    // Now the service needs the workspace that the other holds, who waits for its environment.
    await waiting;
    await other.query('COMMIT');

    const created = await creating;
    expect(created.status, created.text).toBe(201);
    const list = await api.get('/v1/triggers');
    expect(list.body.items).toHaveLength(1);
  } finally {
    gate.release(true);
    other.release(true);
  }
});
