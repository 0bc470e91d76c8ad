import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../../libs/testing/index.js';
import { WebhookBench, answering } from '../../support/webhooks.js';

const SETTING = '/v1/workspace/environments/production';
const LONG_AGO = '2020-01-31T12:00:00.000Z';

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(() => bench?.close());

const headersOf = ({ headers }: Json): Record<string, string> =>
  Object.fromEntries((headers as { name: string; value: string }[]).map(({ name, value }) => [name, value]));

describe('The request of a delivery', () => {
  it('is what the receiver got, header by header, at each attempt, whatever the endpoint is by now', async () => {
    const { api, receiver, endpoint } = await bench.scene({ eventTypes: ['environment.updated'] });
    receiver.answer = answering(503, { 'retry-after': '3600' });
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await receiver.until(1);
    const { id } = await bench.delivery(api, endpoint, ({ attempts }) => attempts === 1);
    await api.post(`${endpoint.path}/rotate-secret`);
    await api.patch(endpoint.path, { url: `${receiver.url}/elsewhere?a=1` });
    await bench.hurry(endpoint.id);
    await receiver.until(2);
    await bench.delivery(api, endpoint, ({ attempts }) => attempts === 2);
    await api.patch(endpoint.path, { url: receiver.url });

    const path = `${endpoint.path}/deliveries/${id}/request`;
    for (const [index, { headers, body, path: requested }] of receiver.received.entries()) {
      const { status, body: request } = await api.get(`${path}?attempt=${index + 1}`);
      expect(status).toBe(200);
      expect(request).toMatchObject({ attempt: index + 1, method: 'POST', body });
      expect(new URL(request.url).pathname + new URL(request.url).search).toBe(requested);
      const { connection: _, ...sent } = headers;
      expect(headersOf(request)).toEqual(sent);
      expect(Object.keys(headersOf(request))).toEqual(Object.keys(sent));
      expect(new Webhook(endpoint.secret).verify(request.body, headersOf(request))).toBeTruthy();
      expect(JSON.stringify(request)).not.toContain('whsec_');
    }
    expect((await api.get(path)).body.attempt).toBe(2);
    expect((await api.get(`${path}?attempt=3`)).status).toBe(404);
    for (const odd of ['0', '-1', 'x', '1.5', '40000'])
      expect((await api.get(`${path}?attempt=${odd}`)).body.error.details[0].path, odd).toBe('attempt');
    const [other, staging] = [bench.client(await bench.workspace()), `${SETTING.replace('production', '')}`];
    expect((await other.get(path)).status).toBe(404);
    await api.post(staging.replace(/\/$/, ''), { name: 'staging' });
    expect((await api.get(path, { 'x-environment': 'staging' })).status).toBe(404);
  });

  it('is what will be sent before the first attempt, and lacks what was not kept of old ones', async () => {
    const { api, receiver, endpoint, workspace } = await bench.scene();
    receiver.answer = answering(503, { 'retry-after': '3600' });
    await api.patch(SETTING, { approvalPolicy: 'always' });
    const { id } = await bench.delivery(api, endpoint, ({ attempts }) => attempts === 1);
    const path = `${endpoint.path}/deliveries/${id}/request`;
    await bench.pool.query(
      'UPDATE webhook_attempts SET url = NULL, signature = NULL WHERE delivery_id = $1',
      [id],
    );
    const old = (await api.get(path)).body;
    expect(old).toMatchObject({ attempt: 1, url: receiver.url });
    expect(Object.keys(headersOf(old))).toEqual([
      ...[
        'host',
        'user-agent',
        'accept',
        'content-type',
        'webhook-id',
        'webhook-timestamp',
        'content-length',
      ],
    ]);
    await bench.pool.query('DELETE FROM webhook_attempts WHERE delivery_id = $1', [id]);
    const next = (await api.get(path)).body;
    expect(next).toMatchObject({ attempt: null, url: receiver.url, body: receiver.received[0]!.body });
    expect(headersOf(next)).not.toHaveProperty('webhook-timestamp');
    expect(workspace.id).toMatch(/^wks_/);
  });
});

describe('Deliveries', () => {
  it('are narrowed by status, type and time, and counted by hour', async () => {
    const { api, receiver, endpoint } = await bench.scene();
    await api.patch(SETTING, { approvalPolicy: 'agents' });
    await bench.delivery(api, endpoint, ({ status }) => status === 'delivered');
    receiver.answer = answering(500);
    expect((await api.post(`${endpoint.path}/test`)).body.ok).toBe(false);
    await api.patch(SETTING, { approvalPolicy: 'always' });
    await bench.delivery(api, endpoint, ({ attempts, eventType }) => attempts === 1 && eventType !== 'ping');

    const list = async (query: string): Promise<string[]> => {
      const { status, body, text } = await api.get(`${endpoint.path}/deliveries?${query}`);
      expect(status, text).toBe(200);
      return body.items.map(({ status: of, eventType }: Json) => `${eventType} ${of}`);
    };
    const [pending, failed, delivered] = [
      'environment.updated pending',
      'ping failed',
      'environment.updated delivered',
    ];
    expect(await list('')).toEqual([pending, failed, delivered]);
    expect(await list('status=failed')).toEqual([failed]);
    expect(await list('status=pending')).toEqual([pending]);
    expect(await list('status=delivered')).toEqual([delivered]);
    expect(await list('eventType=environment.updated')).toEqual([pending, delivered]);
    expect(await list(`eventType=ping&status=delivered`)).toEqual([]);
    expect(await list(`until=${LONG_AGO}`)).toEqual([]);
    expect(await list(`since=${LONG_AGO}&status=failed`)).toEqual([failed]);
    const first = await api.get(`${endpoint.path}/deliveries?eventType=environment.updated&limit=1`);
    const cursor = first.body.nextCursor as string;
    expect(await list(`eventType=environment.updated&limit=1&cursor=${cursor}`)).toEqual([delivered]);
    for (const odd of ['status=odd', 'eventType=A b', 'since=yesterday', 'until=1', `cursor=${cursor}`])
      expect((await api.get(`${endpoint.path}/deliveries?${odd}`)).status, odd).toBe(400);

    const { status, body } = await api.get(`${endpoint.path}/statistics`);
    expect(status).toBe(200);
    expect(body.buckets).toHaveLength(24);
    const sum = (name: string): number =>
      body.buckets.reduce((total: number, bucket: Json) => total + bucket[name], 0);
    expect([sum('delivered'), sum('failed'), sum('pending')]).toEqual([1, 1, 1]);
    expect(body.countedSince).toBe(body.buckets[0].at);
    const other = bench.client(await bench.workspace());
    expect((await other.get(`${endpoint.path}/statistics`)).status).toBe(404);
  });
});
