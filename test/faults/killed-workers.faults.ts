import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { backends, SeveralProcesses } from '../support/several-processes.js';
import type { Receiver } from '../support/webhooks.js';

describe.each(backends)('deliveries of several processes, the queue on %s', (backend) => {
  let processes: SeveralProcesses;
  beforeAll(async () => {
    processes = await SeveralProcesses.start(backend);
  });
  afterAll(() => processes?.stop());

  it('are taken over from a worker that is killed: all arrive, and few twice', async () => {
    const { bench, redis, workers } = processes;
    const { workspace, api, receiver, endpoint } = await bench.scene();
    const soon: Receiver['answer'] = (response) => void setTimeout(() => response.writeHead(200).end(), 20);
    // However late they are killed, something is left to be taken over.
    receiver.answer = (...received) => {
      if (receiver.received.length <= 100) soon(...received);
    };
    const written = Array.from({ length: 200 }, (_, index) => ({
      name: `S${index}`,
      environment: 'production',
    }));
    const events = await bench.write(workspace.id, workspace.environmentId, written);
    await receiver.until(25);
    const owner = async (): Promise<string> =>
      (await bench.pool.query('SELECT worker_id FROM webhook_endpoints WHERE id = $1', [endpoint.id])).rows[0]
        .worker_id;
    const first = await owner();
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
    receiver.answer = soon;
    // How long a lease lasts has nothing to do with the queue, and is waited for once.
    if (redis) await bench.pool.query('UPDATE webhook_endpoints SET lease_until = now()');
    await processes.startWorker();
    const isDone = async (): Promise<boolean> =>
      (
        await bench.pool.query(
          `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status <> 'delivered' LIMIT 1`,
          [endpoint.id],
        )
      ).rowCount === 0 && new Set(receiver.received.map(({ event }) => event.id)).size === 200;
    await expect.poll(isDone, { timeout: 120_000, interval: 200 }).toBe(true);
    expect(await owner()).not.toBe(first);
    const got = receiver.received.map(({ event }) => event.id);
    expect(new Set(got)).toEqual(new Set(events));
    // Those in progress or not written yet.
    expect(got.length - 200).toBeLessThanOrEqual(64);
    const messages = new Map(
      receiver.received.map(({ event, headers }) => [event.id, headers['webhook-id']]),
    );
    for (const { event, headers } of receiver.received) {
      expect(headers['webhook-id']).toBe(messages.get(event.id));
    }
    expect((await api.get(endpoint.path)).body).toMatchObject({ enabled: true, consecutiveFailures: 0 });
  }, 300_000);
});
