import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../../libs/testing/index.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { type Answering, type Endpoint, WebhookBench, answering } from '../../support/webhooks.js';

const SETTING = '/v1/workspace/environments/production';

let bench: WebhookBench;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  bench = await WebhookBench.start({
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'gate@example.com',
  });
});
afterAll(async () => {
  await bench?.close();
  await mail?.stop();
});

/** An endpoint whose receiver responds so, and one event for it, attempted once. */
async function attempted(answer: Answering) {
  const scene = await bench.scene();
  scene.receiver.answer = answer;
  await scene.api.patch(SETTING, { approvalPolicy: 'agents' });
  await scene.receiver.until(1);
  const delivery = await bench.delivery(scene.api, scene.endpoint, ({ attempts }) => attempts === 1);
  const { body } = await scene.api.get(`${scene.endpoint.path}/deliveries/${delivery.id}/attempts`);
  return { ...scene, delivery, attempt: body.items[0] as Json };
}

const waitOf = ({ nextAttemptAt, lastAttemptAt }: Json): number =>
  (Date.parse(nextAttemptAt) - Date.parse(lastAttemptAt)) / 1000;

async function auditOf(workspaceId: string): Promise<Json[]> {
  const { rows } = await bench.pool.query<Json>(
    `SELECT actor_type AS "actorType", target_id AS "targetId", details FROM audit_events
     WHERE workspace_id = $1 AND action = 'webhook_endpoint.disabled'`,
    [workspaceId],
  );
  return rows;
}

describe('A delivery that fails', () => {
  it('is tried six times, further and further apart, with the same id and bytes', async () => {
    const { api, receiver, endpoint, delivery } = await attempted(answering(500, {}, 'no'));
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastStatus: 500 });
    const waits = [waitOf(delivery)];
    for (let attempt = 2; attempt <= 6; attempt++) {
      await bench.hurry(endpoint.id);
      await receiver.until(attempt);
      waits.push(waitOf(await bench.delivery(api, endpoint, ({ attempts }) => attempts === attempt)));
    }
    for (const [index, usual] of [5, 300, 1800, 7200, 18_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(usual * 0.8 - 0.1);
      // Counted from when it is written, which is a little after the attempt.
      expect(waits[index]).toBeLessThanOrEqual(usual * 1.2 + 5);
    }
    const last = await bench.delivery(api, endpoint, () => true);
    expect(last).toMatchObject({ status: 'failed', attempts: 6, nextAttemptAt: null });
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery.id]),
    );
    for (const { body, headers, at } of receiver.received) {
      expect(new Webhook(endpoint.secret).verify(body, headers)).toBeTruthy();
      expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - at)).toBeLessThan(60_000);
    }
    const { body } = await api.get(`${endpoint.path}/deliveries/${delivery.id}/attempts?limit=4`);
    expect(body.items.map(({ number }: Json) => number)).toEqual([6, 5, 4, 3]);
    const rest = await api.get(
      `${endpoint.path}/deliveries/${delivery.id}/attempts?limit=4&cursor=${body.nextCursor}`,
    );
    expect(rest.body.items.map(({ number }: Json) => number)).toEqual([2, 1]);
    expect((await api.get(endpoint.path)).body).toMatchObject({ enabled: true, consecutiveFailures: 6 });
  });

  it('is delivered by a later attempt, which forgets the failures', async () => {
    const { api, receiver, endpoint } = await attempted(answering(502));
    receiver.answer = answering(200);
    await bench.hurry(endpoint.id);
    const delivered = await bench.delivery(api, endpoint, ({ status }) => status !== 'pending');
    expect(delivered).toMatchObject({ status: 'delivered', attempts: 2, lastStatus: 200 });
    expect((await api.get(endpoint.path)).body).toMatchObject({ consecutiveFailures: 0, lastStatus: 200 });
  });

  it.each([
    [503, '60', 60, 70],
    [429, '7200', 7_200, 7_210],
    [429, '9999999', 86_400, 86_410],
    [503, '1', 4, 20],
    [503, 'nonsense', 4, 20],
    [500, '600', 4, 20],
    [503, new Date(Date.now() + 3_600_000).toUTCString(), 3_000, 3_601],
  ])('waits after a %i with Retry-After %s for %i to %i s', async (status, header, least, most) => {
    const { delivery } = await attempted(answering(status, { 'retry-after': header }));
    expect(waitOf(delivery)).toBeGreaterThanOrEqual(least);
    expect(waitOf(delivery)).toBeLessThanOrEqual(most);
  });

  it.each([301, 302, 307, 308, 304])('fails at %i, which is not followed', async (status) => {
    const elsewhere = await bench.receiver();
    const { attempt } = await attempted(answering(status, { location: elsewhere.url }));
    expect(attempt).toMatchObject({ status, error: 'redirects are not followed' });
    expect(elsewhere.received).toEqual([]);
  });

  it.each<[string, Answering, object]>([
    [
      'resets the connection',
      (response) => response.socket!.destroy(),
      { status: null, error: 'the connection was closed without a response' },
    ],
    [
      'breaks off within its response',
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('abc', () => response.socket!.destroy());
      },
      { status: 200, error: 'the response broke off before its end', response: 'abc' },
    ],
    [
      'speaks no HTTP',
      (response) => response.socket!.end('SSH-2.0-OpenSSH_9.0\r\n\r\n'),
      { status: null, error: 'the response cannot be read: it is not HTTP' },
    ],
    [
      'switches protocols',
      (response) =>
        response.socket!.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
      { status: null, error: 'the response cannot be read: it switches to another protocol' },
    ],
    [
      'answers with endless headers',
      (response) => response.socket!.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n`),
      { status: null, error: expect.any(String) },
    ],
  ])('fails where the receiver %s', async (_, answer, expected) => {
    const { attempt } = await attempted(answer);
    expect(attempt).toMatchObject(expected);
  });

  it('has ten seconds for all of it: handshake, headers and body', { tags: 'slow' }, async () => {
    const drip: Answering = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(timer));
    };
    const silent = (): void => undefined;
    const slowStatus: Answering = (response) => {
      setTimeout(() => response.writeHead(200).end('late'), 5_000);
    };
    const [dripping, stalling, slow, unconnected] = await Promise.all([
      attempted(drip),
      attempted(silent),
      attempted(slowStatus),
      withoutHandshake(),
    ]);
    expect(dripping.attempt).toMatchObject({
      status: 200,
      error: 'there was no complete response within 10 s',
    });
    expect(stalling.attempt).toMatchObject({
      status: null,
      error: 'there was no complete response within 10 s',
    });
    for (const { attempt, delivery } of [dripping, stalling]) {
      expect(attempt.durationMs).toBeGreaterThanOrEqual(9_900);
      expect(delivery.status).toBe('pending');
    }
    expect(slow.delivery).toMatchObject({ status: 'delivered', lastStatus: 200 });
    expect(unconnected.test).toMatchObject({ ok: false, status: null });
  });

  /** The test of an endpoint whose host never ends its TLS handshake. */
  async function withoutHandshake(): Promise<{ test: Json; attempt: Json }> {
    const { api } = await bench.scene();
    const port = await bench.upstreams.startTcp(() => undefined);
    const endpoint = await bench.endpoint(api, `https://localhost:${port}/`);
    const { body: test } = await api.post(`${endpoint.path}/test`);
    const attempts = await api.get(`${endpoint.path}/deliveries/${test.deliveryId}/attempts`);
    return { test, attempt: attempts.body.items[0] };
  }

  it('fails where the certificate is not to be trusted', async () => {
    const { api } = await bench.scene();
    const port = await bench.upstreams.start((_, response) => response.end(), false);
    const endpoint = await bench.endpoint(api, `https://localhost:${port}/`);
    const { body } = await api.post(`${endpoint.path}/test`);
    expect(body).toMatchObject({ ok: false, status: null });
    const attempts = await api.get(`${endpoint.path}/deliveries/${body.deliveryId}/attempts`);
    expect(attempts.body.items[0].error).toContain('certificate');
  });
});

describe('A response', () => {
  it('is read to 64 KiB at most, and its first KiB is kept', async () => {
    let written = 0;
    const { delivery, attempt } = await attempted((response) => {
      response.writeHead(200);
      const pump = (): void => {
        while (!response.destroyed && response.write('é'.repeat(8_192))) written += 16_384;
        if (!response.destroyed) response.once('drain', pump);
      };
      pump();
    });
    expect(delivery.status).toBe('delivered');
    expect(attempt.response).toBe('é'.repeat(512));
    // What the sockets' buffers of both sides took besides.
    expect(written).toBeLessThan(8 * 1024 * 1024);
  });

  it('is kept as text, whatever its bytes', async () => {
    const { attempt } = await attempted((response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62])));
    expect(attempt.response).toBe('a\ufffd\ufffdb');
  });
});

describe('An endpoint', () => {
  async function watched(): Promise<{ watcher: Awaited<ReturnType<typeof bench.receiver>>; scene: Scene }> {
    const scene = await bench.scene();
    const watcher = await bench.receiver();
    await bench.endpoint(scene.api, watcher.url, { eventTypes: ['webhook_endpoint.disabled'] });
    return { watcher, scene };
  }
  type Scene = Awaited<ReturnType<WebhookBench['scene']>>;

  const isDisabled = async ({ api }: Scene, endpoint: Endpoint): Promise<boolean> =>
    !(await api.get(endpoint.path)).body.enabled;

  it('is disabled after 20 failed attempts in a row, with an event and an audit entry', async () => {
    const { watcher, scene } = await watched();
    const { workspace, api, receiver, endpoint } = scene;
    receiver.answer = answering(500);
    await bench.write(
      workspace.id,
      workspace.environmentId,
      Array.from({ length: 30 }, (_, index) => ({ name: `S${index}`, environment: 'production' })),
    );
    await expect.poll(() => isDisabled(scene, endpoint)).toBe(true);
    const [{ event }] = (await watcher.until(1)) as [Json];
    expect(event).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: {
        id: endpoint.id,
        name: `localhost:${receiver.port}`,
        reason: expect.stringMatching(/^20 attempts/),
      },
    });
    const { body } = await api.get(`${endpoint.path}/deliveries?limit=100`);
    expect(body.items).toHaveLength(30);
    await expect
      .poll(async () =>
        (await api.get(`${endpoint.path}/deliveries?limit=100`)).body.items.map(({ status }: Json) => status),
      )
      .toEqual(Array.from({ length: 30 }, () => 'failed'));
    expect(await auditOf(workspace.id)).toEqual([
      {
        actorType: 'system',
        targetId: endpoint.id,
        details: { name: `localhost:${receiver.port}`, reason: expect.stringMatching(/^20 attempts/) },
      },
    ]);
    const attemptsMade = receiver.received.length;
    expect(attemptsMade).toBe(20);
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await bench.write(workspace.id, workspace.environmentId, [{ name: 'Z', environment: 'production' }]);
    const sink = await bench.endpoint(api, watcher.url);
    await api.patch(SETTING, { approvalPolicy: 'none' });
    await watcher.until(2);
    expect(receiver.received).toHaveLength(attemptsMade);
    expect(sink.id).toBeTruthy();
    expect((await api.get(`${endpoint.path}/deliveries?limit=100`)).body.items).toHaveLength(30);
  });

  it('is kept by a success in between', async () => {
    const scene = await bench.scene();
    const { workspace, api, receiver, endpoint } = scene;
    let count = 0;
    receiver.answer = (response) => response.writeHead(++count % 10 === 0 ? 200 : 500).end();
    await bench.write(
      workspace.id,
      workspace.environmentId,
      Array.from({ length: 60 }, (_, index) => ({ name: `S${index}`, environment: 'production' })),
    );
    await receiver.until(60);
    await expect
      .poll(async () => (await api.get(`${endpoint.path}/deliveries?limit=100`)).body.items.length)
      .toBe(60);
    expect(await isDisabled(scene, endpoint)).toBe(false);
  });

  it('is disabled at once by a 410', async () => {
    const { watcher, scene } = await watched();
    scene.receiver.answer = answering(410);
    const { workspace } = scene;
    const many = Array.from({ length: 50 }, () => ({ name: 'S', environment: 'production' }));
    await bench.write(workspace.id, workspace.environmentId, many);
    await expect.poll(() => isDisabled(scene, scene.endpoint)).toBe(true);
    const [{ event }] = (await watcher.until(1)) as [Json];
    expect(event.data.reason).toContain('410');
    const toOwner = () => mail.mails.find(({ to }) => to.includes(scene.workspace.owner.email));
    await expect.poll(toOwner).toBeTruthy();
    expect(toOwner()!.headers['subject']).toContain(`localhost:${scene.receiver.port}`);
    expect(toOwner()!.text).toContain('410');
    expect(await auditOf(scene.workspace.id)).toHaveLength(1);
    const { body } = await scene.api.get(`${scene.endpoint.path}/deliveries?limit=100`);
    expect(new Set(body.items.map(({ status }: Json) => status))).toEqual(new Set(['failed']));
    expect(body.items).toHaveLength(50);
    // Those in progress already, and no more.
    const asked = scene.receiver.received.length;
    expect(asked).toBeLessThanOrEqual(4);
    scene.receiver.answer = answering(200);
    await scene.api.post(`${scene.endpoint.path}/enable`);
    await scene.api.patch(SETTING, { approvalPolicy: 'agents' });
    await scene.receiver.until(asked + 1);
  });

  it('that does not respond delays no other', async () => {
    const stalled = await Promise.all(Array.from({ length: 5 }, () => bench.scene()));
    for (const { receiver } of stalled) receiver.answer = () => undefined;
    const quick = await bench.scene();
    const many = Array.from({ length: 100 }, (_, index) => ({
      name: `S${index}`,
      environment: 'production',
    }));
    for (const { workspace } of stalled) await bench.write(workspace.id, workspace.environmentId, many);
    await Promise.all(stalled.map(({ receiver }) => receiver.until(1)));
    await bench.write(quick.workspace.id, quick.workspace.environmentId, many);
    // Before the ten seconds of those that stall are up.
    await quick.receiver.until(100, 9_000);
    // It got no more than it could show itself worthy of.
    for (const { receiver } of stalled) {
      const [first] = receiver.received;
      const soon = receiver.received.filter(({ at }) => at < first!.at + 9_000);
      expect(soon.length).toBeLessThanOrEqual(4);
    }
  });
});
