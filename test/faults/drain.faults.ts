import pg from 'pg';
import { expect, it } from 'vitest';

import { Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, run, runUntil } from '../support/scripts.js';

const SLOW = 'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(4)\nprint("whole")';

it('a process that is stopped ends its run, carries its event out of the outbox, and leaves no lease', async () => {
  const gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' } });
  const pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
  try {
    const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
    const api = createClient({ baseUrl: gatehouse.baseUrl, token: owner.token, workspace: slug });
    const { body } = await run(api, await python(api, SLOW, { timeout: 60 }));
    await runUntil(api, body.id, (seen) => seen.logLines > 0);
    await gatehouse.stop();
    const { rows: runs } = await pool.query('SELECT status, worker_id, lease_until FROM runs WHERE id = $1', [
      body.id,
    ]);
    expect(runs).toEqual([{ status: 'succeeded', worker_id: null, lease_until: null }]);
    // The end of the run is an event, so events are dispatched until after it.
    const { rows: events } = await pool.query(
      `SELECT dispatched_at IS NOT NULL AS dispatched FROM events WHERE type = 'run.succeeded' AND data ->> 'runId' = $1`,
      [body.id],
    );
    expect(events).toEqual([{ dispatched: true }]);
    expect((await pool.query('SELECT FROM instances')).rowCount).toBe(0);
    expect(gatehouse.process.exitCode).toBe(0);
  } finally {
    await pool.end();
    await gatehouse.stop();
  }
});
