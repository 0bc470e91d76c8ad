import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
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

/** In its first attempt it sleeps for long, and does not end when it is told to. */
const FIRST_IS_SLOW = `
import os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: None)
print("began", file=sys.stderr, flush=True)
if os.environ["GATEHOUSE_ATTEMPT"] == "1":
    until = time.monotonic() + 300
    while time.monotonic() < until: time.sleep(1)
`;

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
  }, 300_000);
});

describe('a worker that is stopped', () => {
  it('waits for what runs, takes nothing new, and then ends', async () => {
    const script = await python(
      there,
      'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(5)\nprint("whole")',
      { timeout: 60 },
    );
    const patient = await worker();
    const { body } = await run(there, script);
    await runUntil(there, body.id, (seen) => seen.logLines > 0);
    const stopped = patient.stop();
    await expect.poll(() => patient.output()).toContain('Waiting up to');
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

  it('ends long runs at once that are tried again elsewhere, where the operator wants that, and no others', async () => {
    const retry = { attempts: 2, delay: 0, on: ['lost'] };
    const again = { idempotent: true, retry };
    const quick =
      'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(4)\nprint("whole")';
    const stopping = await worker({ GATEHOUSE_DRAIN_LONG_RUNS: 'retry', GATEHOUSE_DRAIN_SECONDS: '600' });
    const start = async (code: string, fields: Json): Promise<string> => {
      const { body } = await run(there, await python(there, code, fields));
      await runUntil(there, body.id, (seen) => seen.logLines > 0);
      return body.id as string;
    };
    const [moved, waited, short] = await Promise.all([
      start(FIRST_IS_SLOW, { ...again, timeout: 900 }),
      start(quick, { timeout: 60 }),
      start(quick, { ...again, timeout: 30 }),
    ]);
    await stopping.stop();
    for (const id of [waited, short])
      expect((await there.get(`/v1/runs/${id}`)).body).toMatchObject({ output: 'whole', attempt: 1 });
    expect((await there.get(`/v1/runs/${moved}`)).body).toMatchObject({
      status: 'running',
      attempts: [{ attempt: 1, error: 'the worker was stopped' }],
    });
    const other = await worker();
    try {
      expect(await runUntil(there, moved, finished)).toMatchObject({ status: 'succeeded', attempt: 2 });
    } finally {
      await other.stop();
    }
  });

  it('loses no such run where it is killed meanwhile', async () => {
    const retry = { attempts: 2, delay: 0, on: ['lost'] };
    const stopping = await worker({ GATEHOUSE_DRAIN_LONG_RUNS: 'retry' });
    const script = await python(there, FIRST_IS_SLOW, { idempotent: true, retry, timeout: 900 });
    const { body } = await run(there, script);
    await runUntil(there, body.id, (seen) => seen.logLines > 0);
    stopping.process.kill('SIGINT');
    // The script has five seconds to end.
    await expect.poll(() => stopping.output()).toContain('Waiting up to');
    await stopping.kill();
    const other = await worker();
    try {
      expect(await runUntil(there, body.id, finished, 90_000)).toMatchObject({
        status: 'succeeded',
        attempts: [{ attempt: 1, error: 'the worker running this was lost' }, { attempt: 2 }],
      });
    } finally {
      await other.stop();
    }
  }, 300_000);

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
  });
});
