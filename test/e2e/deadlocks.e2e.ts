import { expect, it } from 'vitest';

import { database } from '../support/gatehouse.js';
import { newTriggerWorld } from '../support/triggers.js';

it('A change that is ended because it and another wait for each other is made again', async () => {
  const { workspace, api, script } = await newTriggerWorld();
  const other = await database().connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM scripts WHERE id = $1 FOR UPDATE', [script.id]);
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const creating = api.post(`/v1/scripts/${script.slug}/triggers`, { name: 'T', eventType: 'run.failed' });
    const waits = async (): Promise<number> =>
      (
        await database().query('SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [
          rows[0]!.pid,
        ])
      ).rowCount!;
    await expect.poll(waits, { timeout: 10_000 }).toBe(1);
    // The service began to wait earlier, so it is the one to find the deadlock, and to give way.
    await other.query('SELECT FROM environments WHERE id = $1 FOR UPDATE', [workspace.environmentId]);
    await other.query('COMMIT');
    const created = await creating;
    expect(created.status, created.text).toBe(201);
    const list = await api.get('/v1/triggers');
    expect(list.body.items).toHaveLength(1);
  } finally {
    other.release(true);
  }
});
