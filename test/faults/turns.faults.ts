import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { finished, python, runUntil } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

let house: Workerless;
let pool: pg.Pool;
let there: Client;

const KEYS = 100;
const EACH = 3;
const KILLS = 6;

const worker = (places: number) => house.worker({ GATEHOUSE_RUN_CONCURRENCY: String(places) });

beforeAll(async () => {
  house = await Workerless.start();
  pool = house.pool;
  there = house.as();
});
afterAll(() => house?.stop());

describe('runs that wait for a worker', () => {
  it('begin by their priority, then by their age', async () => {
    const { slug } = await python(there, 'print(1)', { timeout: 60 });
    const ids: Record<string, string> = {};
    const wanted = { early: 0, low: -10, late: 0, high: 10, higher: 10 };
    for (const [name, priority] of Object.entries(wanted)) {
      const { body } = await there.post(`/v1/scripts/${slug}/runs`, { priority });
      ids[name] = body.id as string;
    }
    const order = ['high', 'higher', 'early', 'late', 'low'];
    const waiting = await Promise.all(order.map((name) => there.get(`/v1/runs/${ids[name]!}`)));
    expect(waiting.map(({ body }) => body.queuedBehind as number)).toEqual([0, 1, 2, 3, 4]);
    expect(waiting[0]!.body.waitsBecause).toBe('It is the next in line for a worker.');
    expect(waiting[1]!.body.waitsBecause).toBe('It waits for a worker: 1 run goes before it.');
    // Of another owner, it goes before all of these but the first: between workspaces, priority counts nothing.
    const elsewhere = house.as(await house.newWorkspace());
    const last = await python(elsewhere, 'print(1)', { timeout: 60 });
    const { body } = await elsewhere.post(`/v1/scripts/${last.slug}/runs`, { priority: -10 });
    expect((await elsewhere.get(`/v1/runs/${body.id}`)).body.queuedBehind).toBe(1);
    await elsewhere.post(`/v1/runs/${body.id}/cancel`);
    const only = await worker(1);
    try {
      const begun: [string, string][] = [];
      for (const name of order) {
        const run = await runUntil(there, ids[name]!, finished, 60_000);
        begun.push([name, run.executionStartedAt as string]);
      }
      expect(begun.toSorted((one, other) => one[1].localeCompare(other[1])).map(([name]) => name)).toEqual(
        order,
      );
    } finally {
      await only.stop();
    }
  });
});

describe('a hundred keys with few places each', () => {
  /**
   * The most attempts of a key that went on at the same time, by the times that the database has of all of them. A beginning
   * has the time at which its statement came, which on a busy machine sees what ended just after that: half of a run's second
   * is no moment.
   */
  const MOST_AT_ONCE = `
    WITH spans AS (
      SELECT r.concurrency_key AS key, a.started_at AS began, a.finished_at AS ended
      FROM run_attempts a JOIN runs r ON r.id = a.run_id WHERE r.script_id = $1 AND a.started_at IS NOT NULL
      UNION ALL
      SELECT concurrency_key, execution_started_at, finished_at FROM runs
      WHERE script_id = $1 AND execution_started_at IS NOT NULL
    )
    SELECT count(DISTINCT key)::int AS keys, max(going)::int AS most FROM (
      SELECT s.key, (SELECT count(*) FROM spans o WHERE o.key = s.key AND o.began <= s.began
        AND o.ended > s.began + interval '500 milliseconds') AS going
      FROM spans s) AS counted`;

  it('are never above their limit and none is starved while workers are killed at random', async () => {
    const code = 'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(1)';
    const version = (limit: number) => ({
      concurrency: { limit, key: '{customer}' },
      inputSchema: { type: 'object', properties: { customer: { type: 'integer' } } },
      retry: { attempts: 10, delay: 0, on: ['lost'] },
      idempotent: true,
      timeout: 60,
    });
    const scripts = await Promise.all([1, 2].map((limit) => python(there, code, version(limit))));
    const ids: string[] = [];
    for (let customer = 0; customer < KEYS; customer++) {
      const { slug } = scripts[customer % 2]!;
      // One after another, so that all of a key would go on at once if they could.
      for (let nth = 0; nth < EACH; nth++) {
        const { body, text } = await there.post(`/v1/scripts/${slug}/runs`, { inputs: { customer } });
        expect(body.concurrencyKey, text).toBe(String(customer));
        ids.push(body.id as string);
      }
    }
    const count = async (where: string): Promise<number> => {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS n FROM runs WHERE id = ANY($1) AND ${where}`,
        [ids],
      );
      return (rows[0] as { n: number }).n;
    };
    const workers = await Promise.all([worker(2), worker(2), worker(2)]);
    const coming: Promise<unknown>[] = [];
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        // Far from the end, so that it has something to do.
        const isFurther = async (): Promise<boolean> =>
          workers.length > 1 &&
          (await count(`phase = 'finished'`)) >= kill * 20 &&
          (await count(`phase = 'executing'`)) > 1;
        await expect.poll(isFurther, { timeout: 240_000, interval: 20 }).toBe(true);
        const [victim] = workers.splice(Math.floor(Math.random() * workers.length), 1);
        await victim!.kill();
        coming.push(worker(2).then((another) => workers.push(another)));
      }
      await expect.poll(() => count(`phase <> 'finished'`), { timeout: 180_000, interval: 250 }).toBe(0);
      expect(await count(`status = 'succeeded'`)).toBe(KEYS * EACH);
      expect(await count('attempt > 1')).toBeGreaterThan(0);
      for (const [index, { id }] of scripts.entries()) {
        const { rows } = await pool.query(MOST_AT_ONCE, [id]);
        expect(rows).toEqual([{ keys: KEYS / 2, most: index + 1 }]);
      }
    } finally {
      await Promise.all(coming);
      await Promise.all(workers.map((one) => one.stop()));
    }
  }, 600_000);
});
