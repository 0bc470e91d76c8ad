import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import type { Redis } from '../support/redis.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { backends, SeveralProcesses } from '../support/several-processes.js';
import type { WebhookBench } from '../support/webhooks.js';

const SETTING = '/v1/workspace/environments/production';

it('is tested on both backends', () => {
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') expect(backends).toHaveLength(2);
});

describe.each(backends)('an API process and two workers, the queue on %s', (backend) => {
  let processes: SeveralProcesses;
  let bench: WebhookBench;
  let redis: Redis | null;
  let api: Client;

  beforeAll(async () => {
    processes = await SeveralProcesses.start(backend);
    ({ bench, redis } = processes);
    api = bench.client(await bench.workspace());
  });
  afterAll(() => processes?.stop());

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
      await expect.poll(ready).toBe(503);
      await redis!.start();
      await expect.poll(ready).toBe(200);
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded' });
    });
  });

  describe('deliveries', () => {
    const written = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `S${index}`, environment: 'production' }));

    it('are woken by the process in which something happens', async () => {
      const { api, receiver, endpoint } = await bench.scene();
      await api.patch(SETTING, { approvalPolicy: 'agents' });
      await receiver.until(1);
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
  });
});
