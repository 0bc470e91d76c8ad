import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { Redis, redisProgram } from '../support/redis.js';
import { python } from '../support/scripts.js';
import { Upstreams } from '../support/upstream.js';
import { House } from './support/house.js';
import { Receiver } from './support/receiver.js';

const EVENTS = 200;
const RUNS = 40;
const AT_ONCE = 8;
/** More than a delivery's lease and a run's, and the sweepers' wait after a start. */
const SETTLED_WITHIN_MS = 120_000;
/** A killed process may have sent, but not yet recorded, what it had claimed. */
const DUPLICATES_PER_KILL = 200;

const upstreams = new Upstreams();
let env: Record<string, string>;

beforeAll(async () => {
  env = { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1', NODE_EXTRA_CA_CERTS: await upstreams.caFile() };
});

afterAll(() => upstreams.close());

/** What is done to the service while the work goes on; returns how many processes were killed. */
type Trouble = (house: House) => Promise<number>;

/** Makes events and runs, lets the trouble happen meanwhile, and says what came of them. */
async function throughTrouble(house: House, trouble: Trouble): Promise<Json> {
  const receiver = new Receiver();
  const port = await upstreams.start(receiver.listen);
  const api = house.api;
  const made = await api.post('/v1/workspace/webhook-endpoints', {
    url: `https://localhost:${port}/hook`,
    eventTypes: ['secret.updated'],
  });
  expect(made.status, made.text).toBe(201);
  receiver.trust(made.body.secret);
  const script = await python(
    api,
    `import sys, urllib.request\nurllib.request.urlopen("https://localhost:${port}/ran/" + sys.argv[1]).read()`,
    { command: 'python3 main.py {n}', hosts: [`localhost:${port}`], timeout: 60 },
  );

  const troubled = trouble(house);
  const runIds = new Map<string, string>();
  await Promise.all([
    inLanes(EVENTS, async (n) => {
      const path = `/v1/workspace/secrets/S_${n}`;
      const body = { value: `value-${n}`, hosts: ['a.example'] };
      const put = await house.insist((there) => there.put(path, body, { 'idempotency-key': `event-${n}` }));
      expect(put.status, put.text).toBe(200);
    }),
    inLanes(RUNS, async (n) => {
      const path = `/v1/scripts/${script.slug}/runs`;
      const body = { inputs: { n: `n${n}` } };
      const run = await house.insist((there) => there.post(path, body, { 'idempotency-key': `run-${n}` }));
      expect([200, 202], run.text).toContain(run.status);
      runIds.set(`n${n}`, run.body.id);
    }),
  ]);
  const kills = await troubled;

  const events = await house.pool.query(
    `SELECT id FROM events WHERE workspace_id = $1 AND type = 'secret.updated'`,
    [house.workspace.id],
  );
  await expect.poll(() => openWork(house), { timeout: SETTLED_WITHIN_MS, interval: 500 }).toBe(0);
  const runs = await house.pool.query<{ status: string; n: string }>(
    `SELECT status, inputs ->> 'n' AS n FROM runs WHERE workspace_id = $1`,
    [house.workspace.id],
  );
  const executed = (n: string): number => receiver.executions.get(n) ?? 0;
  return {
    kills,
    events: events.rowCount,
    'events not delivered': events.rows.filter(({ id }) => !receiver.events.has(id)).length,
    'events nobody made': receiver.events.size - events.rowCount!,
    'deliveries sent twice': receiver.duplicates,
    'deliveries forged': receiver.forged.length,
    runs: runs.rowCount,
    'runs lost': [...runIds.keys()].filter((n) => !runs.rows.some((run) => run.n === n)).length,
    'runs succeeded': runs.rows.filter(({ status }) => status === 'succeeded').length,
    'runs failed with their worker': runs.rows.filter(({ status }) => status === 'failed').length,
    'runs succeeded without having run': runs.rows.filter(
      ({ status, n }) => status === 'succeeded' && executed(n) === 0,
    ).length,
    'runs executed twice': runs.rows.filter(({ n }) => executed(n) > 1).length,
  };
}

/** Events not dispatched, deliveries not sent and runs not finished. A database that is away has work to do. */
async function openWork(house: House): Promise<number> {
  const { rows } = await house.pool.query<{ open: number }>(
    `SELECT (SELECT count(*) FROM events WHERE dispatched_at IS NULL)
          + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
          + (SELECT count(*) FROM runs WHERE phase <> 'finished') AS open`,
  );
  return Number(rows[0]!.open);
}

async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function expectNothingLost(found: Json): void {
  console.table(found);
  expect(found).toMatchObject({
    events: EVENTS,
    'events not delivered': 0,
    'events nobody made': 0,
    'deliveries forged': 0,
    runs: RUNS,
    'runs lost': 0,
    'runs succeeded without having run': 0,
    'runs executed twice': 0,
  });
  expect(found['runs succeeded'] + found['runs failed with their worker']).toBe(RUNS);
  expect(found['deliveries sent twice']).toBeLessThanOrEqual(found.kills * DUPLICATES_PER_KILL);
}

describe('events and runs in flight', () => {
  it('survive the death of the whole service, and of its database', async () => {
    const house = await House.start(env, ['all']);
    try {
      const found = await throughTrouble(house, async () => {
        await house.kill('all');
        await house.restartDatabase();
        await house.kill('all');
        return 2;
      });
      expectNothingLost(found);
    } finally {
      await house.stop();
    }
  }, 400_000);

  it.skipIf(redisProgram === null)(
    'survive the death of their worker, and of the queue on Redis',
    async () => {
      const redis = await Redis.start();
      const house = await House.start({ ...env, REDIS_URL: redis.url }, ['api', 'worker']);
      try {
        const found = await throughTrouble(house, async () => {
          await house.kill('worker');
          await redis.command('FLUSHALL');
          await redis.stop();
          await Promise.all([house.kill('worker'), redis.start()]);
          await house.kill('api');
          return 3;
        });
        expectNothingLost(found);
      } finally {
        await house.stop();
        await redis.remove();
      }
    },
    400_000,
  );
});
