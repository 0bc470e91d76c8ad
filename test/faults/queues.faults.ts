import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { python } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

const QUEUE = '/v1/workspace/queues/shared';
const LIMIT = 3;
const EACH = 30;
const KILLS = 6;
/**
 * A run that a kill ended is in no place from then on, which the database knows only when its lease is over. A beginning has
 * the time at which its statement came, which on a busy machine sees what ended just after that: half of a run's second is
 * no moment.
 */
const MOST_AT_ONCE = `
  WITH spans AS (
    SELECT a.started_at AS began, a.finished_at AS ended
    FROM run_attempts a JOIN runs r ON r.id = a.run_id WHERE r.id = ANY($1) AND a.started_at IS NOT NULL
    UNION ALL
    SELECT execution_started_at, finished_at FROM runs WHERE id = ANY($1) AND execution_started_at IS NOT NULL
  )
  SELECT max(going)::int AS most FROM (
    SELECT (SELECT count(*) FROM spans o WHERE o.began <= s.began
      AND o.ended > s.began + interval '500 milliseconds') AS going FROM spans s) AS counted`;

let house: Workerless;
let pool: pg.Pool;
let there: Client;

const worker = () => house.worker({ GATEHOUSE_RUN_CONCURRENCY: '2' });

beforeAll(async () => {
  house = await Workerless.start();
  pool = house.pool;
  there = house.as();
});
afterAll(() => house?.stop());

it('a queue is never above its limit and starves nothing while workers are killed and it is paused and resumed', async () => {
  const made = await there.post('/v1/workspace/queues', { name: 'shared', limit: LIMIT });
  expect(made.status, made.text).toBe(201);
  const code = 'import time\ntime.sleep(1)';
  const common = { retry: { attempts: 10, delay: 0, on: ['lost'] }, idempotent: true, timeout: 60 };
  const inputSchema = { type: 'object', properties: { customer: { type: 'integer' } } };
  const keyed = { inputSchema, concurrency: { limit: 1, key: '{customer}' } };
  const scripts = await Promise.all(
    [{ inputSchema }, { inputSchema }, keyed].map((fields) => python(there, code, { ...common, ...fields })),
  );
  const ids: string[] = [];
  for (let nth = 0; nth < EACH; nth++) {
    for (const [index, { slug }] of scripts.entries()) {
      // Some are there before their script comes into the queue.
      if (nth === 3 * index) await there.patch(`/v1/scripts/${slug}`, { queue: 'shared' });
      const inputs = { customer: nth % 5 };
      const { body, text } = await there.post(`/v1/scripts/${slug}/runs`, { inputs });
      expect(body.id, text).toBeDefined();
      ids.push(body.id as string);
    }
  }
  const count = async (where: string): Promise<number> => {
    const text = `SELECT count(*)::int AS n FROM runs WHERE id = ANY($1) AND ${where}`;
    return ((await pool.query(text, [ids])).rows[0] as { n: number }).n;
  };
  expect(await count(`phase = 'queued'`)).toBe(LIMIT);
  const workers = await Promise.all([worker(), worker(), worker()]);
  const coming: Promise<unknown>[] = [];
  try {
    // Until one has ended a run, which is in its next attempt by then.
    for (let kill = 1; kill <= KILLS || (await count('attempt > 1')) === 0; kill++) {
      // Where some go on, so that most kills end one.
      const isFurther = async (): Promise<boolean> =>
        workers.length > 1 &&
        (await count(`phase = 'finished'`)) >= kill * 8 &&
        (await count(`phase = 'executing'`)) > 1;
      await expect.poll(isFurther, { timeout: 240_000, interval: 20 }).toBe(true);
      const [victim] = workers.splice(Math.floor(Math.random() * workers.length), 1);
      await victim!.kill();
      coming.push(worker().then((another) => workers.push(another)));
      expect((await there.patch(QUEUE, { paused: true })).status).toBe(200);
      const { rows } = await pool.query('SELECT clock_timestamp() AS paused');
      // What a worker has goes on; a lost one's comes back by the end of its lease.
      await expect
        .poll(() => count(`phase IN ('queued', 'starting', 'executing')`), { timeout: 240_000, interval: 50 })
        .toBe(0);
      const { paused } = rows[0] as { paused: Date };
      // Those that were taken at the same moment, and none after them.
      expect(
        await count(`execution_started_at > '${paused.toISOString()}'::timestamptz`),
      ).toBeLessThanOrEqual(LIMIT);
      expect((await there.patch(QUEUE, { paused: false })).status).toBe(200);
    }
    await expect.poll(() => count(`phase <> 'finished'`), { timeout: 180_000, interval: 250 }).toBe(0);
    expect(await count(`status = 'succeeded'`)).toBe(scripts.length * EACH);
    expect(await count('attempt > 1')).toBeGreaterThan(0);
    expect((await pool.query(MOST_AT_ONCE, [ids])).rows).toEqual([{ most: LIMIT }]);
  } finally {
    await Promise.all(coming);
    await Promise.all(workers.map((one) => one.stop()));
  }
}, 600_000);
