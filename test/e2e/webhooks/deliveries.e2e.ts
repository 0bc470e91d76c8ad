import { execFileSync } from 'node:child_process';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../../libs/testing/index.js';
import { WebhookBench, answering } from '../../support/webhooks.js';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SETTING = '/v1/workspace/environments/production';

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(() => bench?.close());

/** What somebody who uses Python would write to check a delivery. */
const PYTHON_VERIFIER = `
import base64, hashlib, hmac, json, sys
request = json.load(sys.stdin)
headers = request["headers"]
key = base64.b64decode(request["secret"].removeprefix("whsec_"))
content = ".".join([headers["webhook-id"], headers["webhook-timestamp"], request["body"]]).encode()
expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
given = [part.split(",", 1)[1] for part in headers["webhook-signature"].split(" ") if part.startswith("v1,")]
print(any(hmac.compare_digest(expected, one) for one in given))
`;

describe('A delivery', () => {
  it('is a signed POST of the event, with a record of how it went', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    receiver.answer = answering(202, { 'content-type': 'text/plain' }, 'thanks');
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    const [{ headers, body, event, path }] = (await receiver.until(1)) as [Json];
    expect(path).toBe('/hook');
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      type: 'environment.updated',
      createdAt: expect.stringMatching(TIMESTAMP),
      data: { name: 'production', changed: ['approvalPolicy'] },
    });
    expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'data']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'user-agent': expect.stringMatching(/^Gatehouse/),
    });
    expect(new Webhook(endpoint.secret).verify(body, headers)).toEqual(event);
    const verified = execFileSync('python3', ['-c', PYTHON_VERIFIER], {
      input: JSON.stringify({ headers, body, secret: endpoint.secret }),
    });
    expect(verified.toString().trim()).toBe('True');

    const delivery = await bench.delivery(api, endpoint, ({ status }) => status !== 'pending');
    expect(delivery).toEqual({
      id: headers['webhook-id'],
      eventId: event.id,
      eventType: 'environment.updated',
      status: 'delivered',
      attempts: 1,
      lastStatus: 202,
      lastAttemptAt: expect.stringMatching(TIMESTAMP),
      nextAttemptAt: null,
      redeliveryOf: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect((await api.get(`${endpoint.path}/deliveries/${delivery.id}/attempts`)).body).toEqual({
      items: [
        {
          number: 1,
          status: 202,
          error: null,
          durationMs: expect.any(Number),
          response: 'thanks',
          attemptedAt: delivery.lastAttemptAt,
        },
      ],
      nextCursor: null,
    });
    expect((await api.get(endpoint.path)).body).toMatchObject({
      consecutiveFailures: 0,
      lastStatus: 202,
      lastAttemptAt: delivery.lastAttemptAt,
    });
    const other = bench.client(await bench.workspace());
    expect((await other.get(`${endpoint.path}/deliveries/${delivery.id}/attempts`)).status).toBe(404);
  });

  it('keeps numbers, characters and names as they are', async () => {
    const { workspace, receiver, endpoint } = await bench.scene();
    const data = {
      name: 'ключ "1" \u2028 \u{1f512}',
      environment: 'x',
      n: 12345678901.25,
      __proto__: 1,
      10: 'b',
    };
    await bench.write(workspace.id, workspace.environmentId, [data]);
    const [{ headers, body, event }] = (await receiver.until(1)) as [Json];
    expect(event.data).toEqual(data);
    expect(new Webhook(endpoint.secret).verify(body, headers)).toBeTruthy();
  });

  it('goes to each endpoint that wants it, once, with the same event id', async () => {
    const workspace = await bench.workspace();
    const [production, staging] = [bench.client(workspace), bench.client(workspace, 'staging')];
    await production.post('/v1/workspace/environments', { name: 'staging' });
    const [every, some, others, elsewhere] = await Promise.all([
      bench.receiver(),
      bench.receiver(),
      bench.receiver(),
      bench.receiver(),
    ]);
    await bench.endpoint(production, every.url);
    await bench.endpoint(production, some.url, { eventTypes: ['environment.updated', 'script.created'] });
    await bench.endpoint(production, others.url, { eventTypes: ['run.failed'] });
    await bench.endpoint(staging, elsewhere.url);
    const stranger = await bench.scene();
    const secret = { value: 'a secret value', hosts: ['api.example.com'] };
    await production.put('/v1/workspace/secrets/KEY', secret);
    await production.patch(SETTING, { approvalPolicy: 'always' });
    await production.post('/v1/scripts', { slug: 'hello', name: 'Hello' });
    const types = ({ received }: typeof every) => received.map(({ event }) => event.type).sort();
    await every.until(3);
    await some.until(2);
    await elsewhere.until(2);
    expect(types(every)).toEqual(['environment.updated', 'script.created', 'secret.updated']);
    expect(types(some)).toEqual(['environment.updated', 'script.created']);
    // The rules of an environment concern the whole workspace; its secrets do not.
    expect(types(elsewhere)).toEqual(['environment.updated', 'script.created']);
    expect([...others.received, ...stranger.receiver.received]).toEqual([]);
    const idsOf = ({ received }: typeof every) => received.map(({ event }) => event.id).sort();
    expect(idsOf(elsewhere)).toEqual(idsOf(some));
    expect(idsOf(every)).toEqual(expect.arrayContaining(idsOf(some)));
    const messages = [every, some, elsewhere].flatMap(({ received }) =>
      received.map(({ headers }) => headers['webhook-id']),
    );
    expect(new Set(messages).size).toBe(7);
  });

  it('tells of runs', async () => {
    const { workspace, receiver } = await bench.scene({ eventTypes: ['run.succeeded', 'run.failed'] });
    await bench.write(workspace.id, workspace.environmentId, [{ runId: 'run_1' }], 'run.failed');
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.data.runId).toBe('run_1');
  });

  it('uses few connections for many', async () => {
    const { workspace, api, receiver, endpoint } = await bench.scene();
    const events = await bench.write(
      workspace.id,
      workspace.environmentId,
      Array.from({ length: 600 }, (_, index) => ({ name: `S${index}`, environment: 'production' })),
    );
    await receiver.until(600);
    const got = receiver.received.map(({ event }) => event.id);
    expect(new Set(got)).toEqual(new Set(events));
    expect(got).toHaveLength(600);
    expect(receiver.connections).toBeLessThanOrEqual(20);
    const pending = async (): Promise<number> =>
      (
        await bench.pool.query(
          `SELECT count(*)::int AS n FROM webhook_deliveries WHERE endpoint_id = $1 AND status <> 'delivered'`,
          [endpoint.id],
        )
      ).rows[0].n;
    await expect.poll(pending).toBe(0);
    const seen = [];
    let cursor = '';
    do {
      const { body } = await api.get(`${endpoint.path}/deliveries?limit=100${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ id }: Json) => id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(seen).toHaveLength(600);
    expect(seen).toEqual([...seen].sort().reverse());
  });
});

describe('A receiver that keeps no connection although it seems to', () => {
  it('gets everything at the first attempt', async () => {
    let patient = true;
    let requests = 0;
    const port = await bench.upstreams.startTls((socket) => {
      let served = 0;
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (!text.endsWith('}')) return;
        text = '';
        requests += 1;
        if (!patient && served++ > 0) return void socket.destroy();
        served++;
        // Late at first, so that there are several connections to keep.
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), patient ? 300 : 0);
      });
    });
    const workspace = await bench.workspace();
    const api = bench.client(workspace);
    const endpoint = await bench.endpoint(api, `https://localhost:${port}/hook`);
    const write = (count: number) =>
      bench.write(
        workspace.id,
        workspace.environmentId,
        Array.from({ length: count }, () => ({ name: 'S', environment: 'production' })),
      );
    const delivered = async (): Promise<number> =>
      (
        await bench.pool.query(
          `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'delivered'`,
          [endpoint.id],
        )
      ).rowCount!;
    await write(4);
    await expect.poll(delivered).toBe(4);
    patient = false;
    await write(3);
    await expect.poll(delivered).toBe(7);
    expect(requests).toBeGreaterThan(7);
    const { body } = await api.get(`${endpoint.path}/deliveries`);
    expect(body.items.map(({ attempts }: Json) => attempts)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });
});

describe('A secret that was rotated', () => {
  it('signs beside the new one for a day, and then no more', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    const { body } = await api.post(`${endpoint.path}/rotate-secret`);
    await api.post(`${endpoint.path}/test`);
    const [first] = receiver.received as [Json];
    expect(first.headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [endpoint.secret, body.secret]) {
      expect(new Webhook(secret).verify(first.body, first.headers)).toBeTruthy();
    }
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    const [, second] = (await receiver.until(2)) as [Json, Json];
    expect(second.headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect(new Webhook(endpoint.secret).verify(second.body, second.headers)).toBeTruthy();
    await bench.pool.query('UPDATE webhook_earlier_secrets SET signs_until = now() WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    await api.patch(SETTING, { approvalPolicy: 'none' });
    const [, , third] = (await receiver.until(3)) as [Json, Json, Json];
    expect(third.headers['webhook-signature']).not.toContain(' ');
    expect(new Webhook(body.secret).verify(third.body, third.headers)).toBeTruthy();
    expect(() => new Webhook(endpoint.secret).verify(third.body, third.headers)).toThrow();
  });

  it('signs for its own day, whatever is rotated after it: the newest, and five at most before it', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    const rotate = async (): Promise<string> =>
      (await api.post(`${endpoint.path}/rotate-secret`)).body.secret;
    const secrets = [endpoint.secret];
    for (let count = 0; count < 3; count++) secrets.push(await rotate());
    const signedBy = async (number: number): Promise<string[]> => {
      await api.post(`${endpoint.path}/test`);
      const { body, headers } = (await receiver.until(number))[number - 1]!;
      const signatures = headers['webhook-signature']!.split(' ');
      const found = secrets.filter((secret) => {
        try {
          return Boolean(new Webhook(secret).verify(body, headers));
        } catch {
          return false;
        }
      });
      expect(signatures).toHaveLength(found.length);
      return found;
    };
    expect(await signedBy(1)).toEqual(secrets);
    for (let count = 0; count < 4; count++) secrets.push(await rotate());
    expect(await signedBy(2)).toEqual(secrets.slice(-6));
    await bench.pool.query(
      `UPDATE webhook_earlier_secrets SET signs_until = now() WHERE id IN (
         SELECT id FROM webhook_earlier_secrets WHERE endpoint_id = $1 ORDER BY id LIMIT 3)`,
      [endpoint.id],
    );
    expect(await signedBy(3)).toEqual(secrets.slice(-3));
    await api.delete(endpoint.path);
    const { rows } = await bench.pool.query('SELECT FROM webhook_earlier_secrets WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    expect(rows).toHaveLength(0);
  });
});

describe('POST …/test', () => {
  it('sends a ping at once, whatever the types, and says what came of it', async () => {
    const { api, receiver, endpoint } = await bench.scene({ eventTypes: ['run.failed'] });
    const other = await bench.receiver();
    await bench.endpoint(api, other.url);
    const tested = await api.post(`${endpoint.path}/test`);
    expect(tested.status).toBe(200);
    expect(tested.body).toEqual({
      deliveryId: expect.stringMatching(/^msg_/),
      queued: false,
      ok: true,
      status: 200,
    });
    const [{ headers, body, event }] = receiver.received as [Json];
    expect(event).toMatchObject({ type: 'ping', data: { message: expect.any(String) } });
    expect(headers['webhook-id']).toBe(tested.body.deliveryId);
    expect(new Webhook(endpoint.secret).verify(body, headers)).toBeTruthy();
    const delivery = await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
    expect(delivery).toMatchObject({ id: tested.body.deliveryId, eventType: 'ping', attempts: 1 });
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await other.until(1);
    expect(other.received.map(({ event: { type } }) => type)).toEqual(['environment.updated']);
    expect(receiver.received).toHaveLength(1);
  });

  it('counts failures, is tried once, and works while the endpoint is disabled', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    receiver.answer = answering(500, {}, 'broken');
    const failed = await api.post(`${endpoint.path}/test`);
    expect(failed.body).toMatchObject({ queued: false, ok: false, status: 500 });
    expect((await api.get(endpoint.path)).body).toMatchObject({ consecutiveFailures: 1, lastStatus: 500 });
    expect((await bench.delivery(api, endpoint, () => true)).status).toBe('failed');
    await bench.pool.query('UPDATE webhook_endpoints SET enabled = false WHERE id = $1', [endpoint.id]);
    receiver.answer = answering(204);
    expect((await api.post(`${endpoint.path}/test`)).body).toMatchObject({ ok: true, status: 204 });
    expect((await api.get(endpoint.path)).body).toMatchObject({ enabled: false, consecutiveFailures: 0 });
  });

  it('says that there was no response', async () => {
    const { api } = await bench.scene();
    const nobody = await bench.endpoint(api, 'https://localhost:1/');
    const { body } = await api.post(`${nobody.path}/test`);
    expect(body).toMatchObject({ ok: false, status: null });
    const attempts = await api.get(`${nobody.path}/deliveries/${body.deliveryId}/attempts`);
    expect(attempts.body.items[0]).toMatchObject({
      status: null,
      error: 'the connection was refused',
      response: null,
    });
  });

  it('disables at 410', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    receiver.answer = answering(410);
    expect((await api.post(`${endpoint.path}/test`)).body).toMatchObject({ ok: false, status: 410 });
    expect((await api.get(endpoint.path)).body.enabled).toBe(false);
  });

  it('is sent once for a request that is sent twice', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    const send = () => api.post(`${endpoint.path}/test`, undefined, { 'idempotency-key': 'k' });
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('POST …/redeliver', () => {
  it('sends the event again as a delivery of its own', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await receiver.until(1);
    const original = await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
    const again = await api.post(`${endpoint.path}/deliveries/${original.id}/redeliver`);
    expect(again.status).toBe(202);
    expect(again.body).toEqual({ deliveryId: expect.stringMatching(/^msg_/), queued: true });
    const [one, two] = (await receiver.until(2)) as [Json, Json];
    expect(two.body).toBe(one.body);
    expect(two.headers['webhook-id']).toBe(again.body.deliveryId);
    expect(two.headers['webhook-id']).not.toBe(original.id);
    const redelivered = await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
    expect(redelivered).toMatchObject({
      id: again.body.deliveryId,
      eventId: original.eventId,
      redeliveryOf: original.id,
    });
    await bench.pool.query('UPDATE webhook_endpoints SET enabled = false WHERE id = $1', [endpoint.id]);
    expect((await api.post(`${endpoint.path}/deliveries/${original.id}/redeliver`)).status).toBe(409);
    const unknown = `${endpoint.path}/deliveries/msg_01k7q3v5yzf8c9m2n4p6r8t0vw/redeliver`;
    expect((await api.post(unknown)).status).toBe(404);
    const sibling = await bench.endpoint(api, receiver.url);
    expect((await api.post(`${sibling.path}/deliveries/${original.id}/redeliver`)).status).toBe(404);
  });
});

describe('POST …/recover', () => {
  it('queues what failed and what was missed, once, and nothing else', async () => {
    const { workspace, api, receiver, endpoint } = await bench.scene({
      eventTypes: ['secret.updated', 'environment.updated'],
    });
    const write = (name: string, type?: string) =>
      bench.write(workspace.id, workspace.environmentId, [{ name, environment: 'production' }], type);
    const statusOf = async (eventId: string): Promise<string | undefined> =>
      (await bench.pool.query('SELECT status FROM webhook_deliveries WHERE event_id = $1', [eventId])).rows[0]
        ?.status;
    const since = new Date(Date.now() - 60_000).toISOString();
    const [delivered] = (await write('delivered')) as [string];
    await expect.poll(() => statusOf(delivered)).toBe('delivered');
    receiver.answer = answering(500);
    const [failed] = (await write('failed')) as [string];
    await receiver.until(2);
    await bench.pool.query(
      `UPDATE webhook_deliveries SET status = 'failed' WHERE event_id = $1 AND endpoint_id = $2`,
      [failed, endpoint.id],
    );
    await bench.pool.query('UPDATE webhook_endpoints SET enabled = false WHERE id = $1', [endpoint.id]);
    const [missed] = (await write('missed')) as [string];
    const [unwanted] = (await write('unwanted', 'script.created')) as [string];
    const isDispatched = async (): Promise<boolean> =>
      (await bench.pool.query('SELECT dispatched_at FROM events WHERE id = $1', [unwanted])).rows[0]
        .dispatched_at !== null;
    await expect.poll(isDispatched).toBe(true);
    expect(await statusOf(missed)).toBeUndefined();
    expect((await api.post(`${endpoint.path}/recover`, { since })).status).toBe(409);
    await api.post(`${endpoint.path}/enable`);
    receiver.answer = answering(200);
    const before = receiver.received.length;
    const recovered = await api.post(`${endpoint.path}/recover`, { since });
    expect(recovered.status).toBe(202);
    expect(recovered.body).toEqual({ queued: 2 });
    await receiver.until(before + 2);
    expect(
      receiver.received
        .slice(before)
        .map(({ event }) => event.id)
        .sort(),
    ).toEqual([failed, missed].sort());
    await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
    await expect
      .poll(async () => (await api.post(`${endpoint.path}/recover`, { since })).body.queued)
      .toBe(0);
  });

  it.each([
    [{}, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: new Date(Date.now() + 3_600_000).toISOString() }, 'since'],
    [{ since: new Date(Date.now() - 30 * 86_400_000 - 3_600_000).toISOString() }, 'since'],
    [{ since: new Date().toISOString(), until: 1 }, 'until'],
  ])('answers %j with 400 at %s', async (body, path) => {
    const { api, endpoint } = await bench.scene();
    const answer = await api.post(`${endpoint.path}/recover`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe(path);
  });
});

describe('POST …/recover, since the earliest moment', () => {
  it('takes what was thirty days ago when it was sent', async () => {
    const { api, endpoint } = await bench.scene();
    const since = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const answer = await api.post(`${endpoint.path}/recover`, { since });
    expect(answer.status, answer.text).toBe(202);
  });
});

describe('An endpoint that changes while something waits', () => {
  it('gets it at its new address', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    receiver.answer = answering(503, { 'retry-after': '3600' });
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await receiver.until(1);
    await bench.delivery(api, endpoint, ({ attempts }) => attempts === 1);
    const moved = await bench.receiver();
    await api.patch(endpoint.path, { url: moved.url });
    await bench.hurry(endpoint.id);
    const [{ event }] = (await moved.until(1)) as [Json];
    expect(event.id).toBe(receiver.received[0]!.event.id);
    expect(receiver.received).toHaveLength(1);
  });

  it('gets nothing once it is deleted', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    receiver.answer = answering(503, { 'retry-after': '3600' });
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await receiver.until(1);
    await bench.delivery(api, endpoint, ({ attempts }) => attempts === 1);
    await api.delete(endpoint.path);
    await bench.hurry(endpoint.id);
    await api.patch(SETTING, { approvalPolicy: 'none' });
    const witness = await bench.scene();
    await witness.api.patch(SETTING, { approvalPolicy: 'agents' });
    await witness.receiver.until(1);
    const gone = async (): Promise<boolean> =>
      (
        await bench.pool.query(
          `SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'pending'`,
          [endpoint.id],
        )
      ).rowCount === 0;
    await expect.poll(gone).toBe(true);
    expect(receiver.received).toHaveLength(1);
  });

  it('gets nothing once its workspace is deleted', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    receiver.answer = answering(503, { 'retry-after': '3600' });
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await receiver.until(1);
    await bench.delivery(api, endpoint, ({ attempts }) => attempts === 1);
    expect((await api.delete('/v1/workspace')).status).toBe(204);
    await bench.hurry(endpoint.id);
    const status = async (): Promise<string> =>
      (await bench.pool.query('SELECT status FROM webhook_deliveries WHERE endpoint_id = $1', [endpoint.id]))
        .rows[0].status;
    await expect.poll(status).toBe('failed');
    expect(receiver.received).toHaveLength(1);
  });
});
