import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

let house: Workerless;
let pool: pg.Pool;
let there: Client;

const worker = (env?: Record<string, string>) => house.worker(env);

beforeAll(async () => {
  house = await Workerless.start();
  pool = house.pool;
  there = house.as();
});
afterAll(() => house?.stop());

const SLOW = 'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(300)';

describe('a worker that is killed', () => {
  it('leaves nothing running: what it had begun fails, and is never repeated, and the rest goes to another', async () => {
    const doomed = await worker();
    const script = await python(there, SLOW, { timeout: 600 });
    const quick = await python(there, 'print("ran")', { timeout: 60 });
    const { body: begun } = await run(there, script);
    await runUntil(there, begun.id, (seen) => seen.logLines > 0);
    await doomed.kill();
    const { body: taken } = await run(there, quick);
    expect(taken.phase).toBe('queued');
    // Taken by a worker that died before it began.
    await pool.query(
      `UPDATE runs SET phase = 'starting', claim = 1, worker_id = 'gone', lease_until = now() - interval '1 second'
       WHERE id = $1`,
      [taken.id],
    );
    const claimOf = async (id: string): Promise<number> =>
      (await pool.query('SELECT claim FROM runs WHERE id = $1', [id])).rows[0].claim;
    const other = await worker();
    try {
      expect(await runUntil(there, taken.id, finished, 60_000)).toMatchObject({ error: null, output: 'ran' });
      expect(await claimOf(taken.id)).toBe(2);
      const end = await runUntil(there, begun.id, finished, 70_000);
      expect(end).toMatchObject({ status: 'failed', error: 'the worker running this was lost', logLines: 1 });
      expect(await claimOf(begun.id)).toBe(1);
    } finally {
      await other.stop();
    }
  }, 150_000);
});

describe('a worker that is stopped', () => {
  it('waits for what runs, takes nothing new, and then ends', async () => {
    const script = await python(
      there,
      'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(2)\nprint("whole")',
      { timeout: 60 },
    );
    const patient = await worker();
    const { body } = await run(there, script);
    await runUntil(there, body.id, (seen) => seen.logLines > 0);
    const stopped = patient.stop();
    const late = (await run(there, script)).body;
    await stopped;
    expect((await there.get(`/v1/runs/${body.id}`)).body).toMatchObject({
      status: 'succeeded',
      output: 'whole',
    });
    expect((await there.get(`/v1/runs/${late.id}`)).body).toMatchObject({
      status: 'running',
      phase: 'queued',
    });
    await there.post(`/v1/runs/${late.id}/cancel`);
  });

  it('ends what does not end in time, and says so', async () => {
    const script = await python(there, SLOW, { timeout: 600 });
    const impatient = await worker({ GATEHOUSE_DRAIN_SECONDS: '1' });
    const { body } = await run(there, script);
    await runUntil(there, body.id, (seen) => seen.logLines > 0);
    await impatient.stop();
    expect((await there.get(`/v1/runs/${body.id}`)).body).toMatchObject({
      status: 'failed',
      error: 'the worker was stopped',
    });
  });

  it('does not wait after a second signal', async () => {
    const script = await python(there, SLOW, { timeout: 600 });
    const hurried = await worker({ GATEHOUSE_DRAIN_SECONDS: '600' });
    const { body } = await run(there, script);
    await runUntil(there, body.id, (seen) => seen.logLines > 0);
    hurried.process.kill('SIGINT');
    await expect.poll(() => hurried.output()).toContain('Waiting up to 600 s');
    await hurried.stop();
    expect((await there.get(`/v1/runs/${body.id}`)).body.error).toBe('the worker was stopped');
  });
});

describe('many workers', () => {
  it('run each of many runs exactly once', async () => {
    const script = await python(there, 'pass', { timeout: 31 });
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => (await run(there, script)).body.id as string),
    );
    const queued = (await there.get(`/v1/runs/${ids.at(-1)}`)).body;
    expect(queued.phase).toBe('queued');
    expect(queued.queuedBehind).toBeGreaterThan(0);
    const workers = await Promise.all([worker(), worker()]);
    try {
      for (const id of ids)
        expect(await runUntil(there, id, finished, 60_000)).toMatchObject({
          status: 'succeeded',
          error: null,
        });
      const { rows } = await pool.query('SELECT DISTINCT claim FROM runs WHERE id = ANY($1)', [ids]);
      expect(rows).toEqual([{ claim: 1 }]);
    } finally {
      await Promise.all(workers.map((each) => each.stop()));
    }
  }, 120_000);
});
