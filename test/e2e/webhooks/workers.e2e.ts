import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type GatehouseProcess } from '../../../libs/testing/index.js';
import { startGatehouse } from '../../support/gatehouse.js';
import { Redis, redisProgram } from '../../support/redis.js';
import { WebhookBench } from '../../support/webhooks.js';

const backends = redisProgram === null ? (['PostgreSQL'] as const) : (['PostgreSQL', 'Redis'] as const);
const SETTING = '/v1/workspace/environments/production';

it('is tested on both backends', () => {
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') expect(backends).toHaveLength(2);
});

describe.each(backends)('deliveries by workers of their own, the queue on %s', (backend) => {
  let redis: Redis | null = null;
  let bench: WebhookBench;
  const workers: GatehouseProcess[] = [];

  const startWorker = async (): Promise<GatehouseProcess> => {
    const worker = await startGatehouse({
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
    await startWorker();
    await startWorker();
  });
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
    await bench?.close();
    await redis?.remove();
  });

  const written = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `S${index}`, environment: 'production' }));

  it('are woken by the process in which something happens', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await receiver.until(1, 5_000);
    await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
    if (redis) expect(await redis.command('EXISTS bull:deliveries:meta')).toBe(':1\r\n');
    else {
      const { rowCount } = await bench.pool.query(`SELECT FROM bullmq.meta WHERE queue = 'deliveries'`);
      expect(rowCount).toBeGreaterThan(0);
    }
  });

  it('are made once, however many workers look for them', async () => {
    const { workspace, receiver } = await bench.scene();
    const events = await bench.write(workspace.id, workspace.environmentId, written(300));
    await receiver.until(300);
    expect(receiver.received.map(({ event }) => event.id).sort()).toEqual([...events].sort());
  });

  it('need nothing of what waits in the queue', async () => {
    const { api, receiver } = await bench.scene();
    for (let index = 0; index < 10; index++) {
      await api.patch(SETTING, { approvalPolicy: index % 2 ? 'none' : 'agents' });
      if (redis) await redis.command('FLUSHALL');
      else await bench.pool.query('DELETE FROM bullmq.job');
    }
    await receiver.until(10);
  });

  it('are taken over from a worker that is killed: all arrive, and few twice', async () => {
    const { workspace, api, receiver, endpoint } = await bench.scene();
    receiver.answer = (response) => setTimeout(() => response.writeHead(200).end(), 20);
    const events = await bench.write(workspace.id, workspace.environmentId, written(400));
    await receiver.until(50);
    const owner = async (): Promise<string> =>
      (await bench.pool.query('SELECT worker_id FROM webhook_endpoints WHERE id = $1', [endpoint.id])).rows[0]
        .worker_id;
    const first = await owner();
    for (const worker of workers.splice(0)) await worker.kill();
    await startWorker();
    const isDone = async (): Promise<boolean> =>
      (
        await bench.pool.query(
          `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status <> 'delivered' LIMIT 1`,
          [endpoint.id],
        )
      ).rowCount === 0 && new Set(receiver.received.map(({ event }) => event.id)).size === 400;
    await expect.poll(isDone, { timeout: 60_000, interval: 200 }).toBe(true);
    expect(await owner()).not.toBe(first);
    const got = receiver.received.map(({ event }) => event.id);
    expect(new Set(got)).toEqual(new Set(events));
    // Those that were under way or not written yet.
    expect(got.length - 400).toBeLessThanOrEqual(64);
    const messages = new Map(
      receiver.received.map(({ event, headers }) => [event.id, headers['webhook-id']]),
    );
    for (const { event, headers } of receiver.received) {
      expect(headers['webhook-id']).toBe(messages.get(event.id));
    }
    expect((await api.get(endpoint.path)).body).toMatchObject({ enabled: true, consecutiveFailures: 0 });
  }, 90_000);
});
