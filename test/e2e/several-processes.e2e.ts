import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, GatehouseProcess } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { Redis, redisProgram } from '../support/redis.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { WebhookBench } from '../support/webhooks.js';

const backends = redisProgram === null ? (['PostgreSQL'] as const) : (['PostgreSQL', 'Redis'] as const);
const SETTING = '/v1/workspace/environments/production';

it('is tested on both backends', () => {
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') expect(backends).toHaveLength(2);
});

describe.each(backends)('an API process and two workers, the queue on %s', (backend) => {
  let redis: Redis | null = null;
  let bench: WebhookBench;
  let api: Client;
  const workers: GatehouseProcess[] = [];

  const startWorker = async (): Promise<GatehouseProcess> => {
    const worker = await startGatehouse({
      dataDirectory: bench.gatehouse.dataDirectory,
      env: {
        GATEHOUSE_ROLE: 'worker',
        DATABASE_URL: bench.gatehouse.databaseUrl,
        GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
        NODE_EXTRA_CA_CERTS: bench.caFile,
        ...(redis && { REDIS_URL: redis.url }),
      },
    });
    workers.push(worker);
    return worker;
  };

  beforeAll(async () => {
    redis = backend === 'Redis' ? await Redis.start() : null;
    bench = await WebhookBench.start({ GATEHOUSE_ROLE: 'api', ...(redis && { REDIS_URL: redis.url }) });
    await Promise.all([startWorker(), startWorker()]);
    api = bench.client(await bench.workspace());
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await bench?.close();
    await redis?.remove();
  });

  /** Loses all that waits in the queue. */
  const empty = (): Promise<unknown> =>
    redis ? redis.command('FLUSHALL') : bench.pool.query('DELETE FROM bullmq.job');

  /** Whether a queue of that name is where it should be. */
  const isThere = async (queue: string): Promise<boolean> =>
    redis
      ? (await redis.command(`EXISTS bull:${queue}:meta`)) === ':1\r\n'
      : (await bench.pool.query('SELECT FROM bullmq.meta WHERE queue = $1', [queue])).rowCount! > 0;

  describe('runs', () => {
    it('are taken by a worker that the API process wakes', async () => {
      const script = await python(api, 'print("woken")');
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded', output: 'woken' });
      const { rows } = await bench.pool.query(`SELECT to_regclass('bullmq.meta') IS NOT NULL AS there`);
      expect(rows).toEqual([{ there: true }]);
      expect(await isThere('runs')).toBe(true);
    });

    it('need nothing of what waits in the queue', async () => {
      const script = await python(api, 'print("found")', { timeout: 60 });
      const ids: string[] = [];
      for (let count = 0; count < 10; count++) {
        ids.push((await run(api, script)).body.id);
        await empty();
      }
      for (const id of ids) expect(await runUntil(api, id, finished)).toMatchObject({ status: 'succeeded' });
    });

    if (backend !== 'Redis') return;

    it('go on while the queue is away: readiness says so, and it is used again', async () => {
      const script = await python(api, 'print("without")');
      const ready = async () => (await api.get('/health/ready')).status;
      await redis!.stop();
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded', output: 'without' });
      await expect.poll(ready, { timeout: 10_000 }).toBe(503);
      await redis!.start();
      await expect.poll(ready, { timeout: 20_000 }).toBe(200);
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded' });
    });
  });

  describe('deliveries', () => {
    const written = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `S${index}`, environment: 'production' }));

    it('are woken by the process in which something happens', async () => {
      const { api, receiver, endpoint } = await bench.scene();
      await api.patch(SETTING, { approvalPolicy: 'agents' });
      await receiver.until(1, 5_000);
      await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
      expect(await isThere('deliveries')).toBe(true);
    });

    it('are made once, however many workers look for them', async () => {
      const { workspace, receiver } = await bench.scene();
      const events = await bench.write(workspace.id, workspace.environmentId, written(150));
      await receiver.until(150);
      expect(receiver.received.map(({ event }) => event.id).sort()).toEqual([...events].sort());
    });

    it('need nothing of what waits in the queue', async () => {
      const { api, receiver } = await bench.scene();
      for (let index = 0; index < 10; index++) {
        await api.patch(SETTING, { approvalPolicy: index % 2 ? 'none' : 'agents' });
        await empty();
      }
      await receiver.until(10);
    });

    it('are taken over from a worker that is killed: all arrive, and few twice', async () => {
      const { workspace, api, receiver, endpoint } = await bench.scene();
      receiver.answer = (response) => setTimeout(() => response.writeHead(200).end(), 20);
      const events = await bench.write(workspace.id, workspace.environmentId, written(200));
      await receiver.until(25);
      const owner = async (): Promise<string> =>
        (await bench.pool.query('SELECT worker_id FROM webhook_endpoints WHERE id = $1', [endpoint.id]))
          .rows[0].worker_id;
      const first = await owner();
      await Promise.all(workers.splice(0).map((worker) => worker.kill()));
      // How long a lease lasts has nothing to do with the queue, and is waited for once.
      if (redis) await bench.pool.query('UPDATE webhook_endpoints SET lease_until = now()');
      await startWorker();
      const isDone = async (): Promise<boolean> =>
        (
          await bench.pool.query(
            `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status <> 'delivered' LIMIT 1`,
            [endpoint.id],
          )
        ).rowCount === 0 && new Set(receiver.received.map(({ event }) => event.id)).size === 200;
      await expect.poll(isDone, { timeout: 60_000, interval: 200 }).toBe(true);
      expect(await owner()).not.toBe(first);
      const got = receiver.received.map(({ event }) => event.id);
      expect(new Set(got)).toEqual(new Set(events));
      // Those that were under way or not written yet.
      expect(got.length - 200).toBeLessThanOrEqual(64);
      const messages = new Map(
        receiver.received.map(({ event, headers }) => [event.id, headers['webhook-id']]),
      );
      for (const { event, headers } of receiver.received) {
        expect(headers['webhook-id']).toBe(messages.get(event.id));
      }
      expect((await api.get(endpoint.path)).body).toMatchObject({ enabled: true, consecutiveFailures: 0 });
    }, 90_000);
  });
});
