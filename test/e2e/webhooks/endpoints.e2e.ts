import { describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';

const ENDPOINTS = '/v1/workspace/webhook-endpoints';
const URL = 'https://93.184.216.34/hook';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const byOwner = ({ owner, slug }: TestWorkspace, environment?: string): Client =>
  client({ token: owner.token, workspace: slug, ...(environment !== undefined && { environment }) });
const paths = (answer: Answer): string[] => answer.body.error.details.map(({ path }: Json) => path);
const ids = (answer: Answer): string[] => answer.body.items.map(({ id }: Json) => id);

async function made(api: Client, fields: Record<string, unknown> = {}): Promise<Json> {
  const answer = await api.post(ENDPOINTS, { url: URL, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function audit(workspaceId: string): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    `SELECT action, actor_type AS "actorType", target_id AS "targetId", details FROM audit_events
     WHERE workspace_id = $1 AND action LIKE 'webhook_endpoint.%' ORDER BY id`,
    [workspaceId],
  );
  return rows;
}

describe('POST /v1/workspace/webhook-endpoints', () => {
  it('registers one, shows its secret once and stores it sealed', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const { endpoint, secret } = await made(api);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      url: URL,
      description: null,
      enabled: true,
      eventTypes: null,
      environment: 'production',
      consecutiveFailures: 0,
      lastStatus: null,
      lastAttemptAt: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect(secret).toMatch(/^whsec_/);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
    expect(bytes).toBeGreaterThanOrEqual(24);
    expect(bytes).toBeLessThanOrEqual(32);
    expect((await api.get(`${ENDPOINTS}/${endpoint.id}`)).body).toEqual(endpoint);
    expect((await api.get(ENDPOINTS)).body).toEqual({ items: [endpoint], nextCursor: null });
    const { rows } = await database().query<Json>('SELECT * FROM webhook_endpoints WHERE id = $1', [
      endpoint.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 20));
    expect(rows[0].sealed_secret.toString('latin1')).not.toContain(secret.slice(6, 20));
    expect(await audit(workspace.id)).toEqual([
      {
        action: 'webhook_endpoint.created',
        actorType: 'user',
        targetId: endpoint.id,
        details: { name: '93.184.216.34', environment: 'production' },
      },
    ]);
  });

  it('takes a description and types, and null for «none» and «every»', async () => {
    const api = byOwner(await newWorkspace());
    const fields = { description: 'Accounting', eventTypes: ['run.failed', 'workspace.member.joined'] };
    const known = (await api.get('/v1/workspace/event-types')).body.items.map(({ type }: Json) => type);
    fields.eventTypes = fields.eventTypes.filter((type) => known.includes(type));
    expect((await made(api, fields)).endpoint).toMatchObject(fields);
    expect((await made(api, { description: null, eventTypes: null })).endpoint).toMatchObject({
      description: null,
      eventTypes: null,
    });
  });

  it('takes a name that cannot be found yet', async () => {
    const { endpoint } = await made(byOwner(await newWorkspace()), {
      url: 'https://hooks.nobody-has-this-name.example/a?b=c',
    });
    expect(endpoint.url).toBe('https://hooks.nobody-has-this-name.example/a?b=c');
  });

  it.each([
    [{}, ['url']],
    [{ url: 5 }, ['url']],
    [{ url: null }, ['url']],
    [{ url: 'http://example.com/' }, ['url']],
    [{ url: 'https://user:pass@example.com/' }, ['url']],
    [{ url: 'https://example.com/#a' }, ['url']],
    [{ url: URL, more: 1 }, ['more']],
    [{ url: URL, secret: 'whsec_x' }, ['secret']],
    [{ url: URL, description: 'a\nb' }, ['description']],
    [{ url: URL, description: 'a'.repeat(501) }, ['description']],
    [{ url: URL, eventTypes: [] }, ['eventTypes']],
    [{ url: URL, eventTypes: 'run.failed' }, ['eventTypes']],
    [{ url: URL, eventTypes: ['run.failed', 'run.failed'] }, ['eventTypes']],
    [{ url: URL, eventTypes: ['run.failed', 'run.*', 'nope'] }, ['eventTypes.1', 'eventTypes.2']],
    [{ url: URL, eventTypes: [7] }, ['eventTypes']],
  ])('answers %j with 400 at %j', async (body, expected) => {
    const answer = await byOwner(await newWorkspace()).post(ENDPOINTS, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
    expect(paths(answer)).toEqual(expected);
  });

  it('makes ten for a workspace, in all environments, however many ask at once', async () => {
    const workspace = await newWorkspace();
    const [production, staging] = [byOwner(workspace), byOwner(workspace, 'staging')];
    await production.post('/v1/workspace/environments', { name: 'staging' });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        (index % 2 ? production : staging).post(ENDPOINTS, { url: URL }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
    const own = ids(await production.get(ENDPOINTS));
    expect(own.length + ids(await staging.get(ENDPOINTS)).length).toBe(10);
    expect((await production.delete(`${ENDPOINTS}/${own[0]}`)).status).toBe(204);
    expect((await staging.post(ENDPOINTS, { url: URL })).status).toBe(201);
  });

  it('makes one of a request that is sent twice, and shows the same secret', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const key = { 'idempotency-key': 'one' };
    const [first, second] = await Promise.all([
      api.post(ENDPOINTS, { url: URL }, key),
      api.post(ENDPOINTS, { url: URL }, key),
    ]);
    const again = await api.post(ENDPOINTS, { url: URL }, key);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const answer of [first, second]) {
      if (answer.status === 409) expect(answer.body.error.code).toBe('idempotency_in_progress');
      else expect(answer.body).toEqual(again.body);
    }
    expect(ids(await api.get(ENDPOINTS))).toHaveLength(1);
    expect((await api.post(ENDPOINTS, { url: `${URL}2` }, key)).status).toBe(422);
  });
});

describe('The environment of an endpoint', () => {
  it('is the one it was made in, and no other sees it', async () => {
    const workspace = await newWorkspace();
    const production = byOwner(workspace);
    await production.post('/v1/workspace/environments', { name: 'staging' });
    const staging = byOwner(workspace, 'staging');
    const { endpoint } = await made(staging);
    expect(endpoint.environment).toBe('staging');
    expect(ids(await production.get(ENDPOINTS))).toEqual([]);
    expect(ids(await staging.get(ENDPOINTS))).toEqual([endpoint.id]);
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const boundElsewhere = client({ token: await workspace.apiKey('production') });
    for (const api of [production, boundElsewhere, byOwner(await newWorkspace())]) {
      for (const answer of [
        await api.get(path),
        await api.patch(path, { description: 'x' }),
        await api.delete(path),
        await api.post(`${path}/enable`),
        await api.post(`${path}/rotate-secret`),
        await api.post(`${path}/test`),
        await api.get(`${path}/deliveries`),
        await api.post(`${path}/recover`, { since: new Date().toISOString() }),
        await api.post(`${path}/deliveries/msg_01k7q3v5yzf8c9m2n4p6r8t0vw/redeliver`),
        await api.get(`${path}/deliveries/msg_01k7q3v5yzf8c9m2n4p6r8t0vw/attempts`),
      ]) {
        expect(answer.status).toBe(404);
      }
    }
    const bound = client({ token: await workspace.apiKey('staging') });
    expect((await bound.get(path)).body).toEqual(endpoint);
  });

  it('cannot be deleted while it has one', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const { endpoint } = await made(byOwner(workspace, 'staging'));
    const refused = await api.delete('/v1/workspace/environments/staging');
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toContain('1 webhook endpoint');
    await byOwner(workspace, 'staging').delete(`${ENDPOINTS}/${endpoint.id}`);
    expect((await api.delete('/v1/workspace/environments/staging')).status).toBe(204);
  });

  it('may get another name', async () => {
    const workspace = await newWorkspace();
    const { endpoint } = await made(byOwner(workspace));
    await byOwner(workspace).patch('/v1/workspace/environments/production', { name: 'live' });
    expect((await byOwner(workspace).get(`${ENDPOINTS}/${endpoint.id}`)).body.environment).toBe('live');
  });
});

describe('PATCH /v1/workspace/webhook-endpoints/{endpointId}', () => {
  it('changes what is named, and nothing else', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const { endpoint } = await made(api, { description: 'a', eventTypes: ['run.failed'] });
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const url = 'https://93.184.216.34/other';
    const moved = await api.patch(path, { url });
    expect(moved.status).toBe(200);
    expect(moved.body).toEqual({ ...endpoint, url });
    const open = await api.patch(path, { description: null, eventTypes: null });
    expect(open.body).toEqual({ ...endpoint, url, description: null, eventTypes: null });
    expect((await api.patch(path, {})).body).toEqual(open.body);
    expect((await api.get(path)).body).toEqual(open.body);
    expect((await audit(workspace.id)).slice(1).map(({ details }) => details.changed)).toEqual([
      ['url'],
      ['description', 'eventTypes'],
    ]);
  });

  it.each([
    [{ url: 'http://example.com' }, ['url']],
    [{ url: null }, ['url']],
    [{ url: 'https://10.0.0.1/' }, ['url']],
    [{ eventTypes: [] }, ['eventTypes']],
    [{ eventTypes: ['nope'] }, ['eventTypes.0']],
    [{ enabled: true }, ['enabled']],
  ])('answers %j with 400 at %j', async (body, expected) => {
    const api = byOwner(await newWorkspace());
    const { endpoint } = await made(api);
    const answer = await api.patch(`${ENDPOINTS}/${endpoint.id}`, body);
    expect(answer.status).toBe(400);
    expect(paths(answer)).toEqual(expected);
  });

  it('replays the response to a request that is sent twice', async () => {
    const api = byOwner(await newWorkspace());
    const { endpoint } = await made(api);
    const send = () =>
      api.patch(`${ENDPOINTS}/${endpoint.id}`, { description: 'x' }, { 'idempotency-key': 'k' });
    const [first, again] = [await send(), await send()];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});

describe('The other routes of an endpoint', () => {
  it('enable: resets the failures and keeps the secret, also of one that is enabled', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const { endpoint } = await made(api);
    const path = `${ENDPOINTS}/${endpoint.id}`;
    expect((await api.post(`${path}/enable`)).body).toEqual(endpoint);
    await database().query(
      'UPDATE webhook_endpoints SET enabled = false, consecutive_failures = 20 WHERE id = $1',
      [endpoint.id],
    );
    expect((await api.get(path)).body).toMatchObject({ enabled: false, consecutiveFailures: 20 });
    const enabled = await api.post(`${path}/enable`);
    expect(enabled.status).toBe(200);
    expect(enabled.body).toEqual(endpoint);
    await database().query('UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE id = $1', [
      endpoint.id,
    ]);
    expect((await api.post(`${path}/enable`)).body).toEqual(endpoint);
    expect((await api.get(path)).body).toEqual(endpoint);
    expect((await audit(workspace.id)).map(({ action }) => action)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.enabled',
      'webhook_endpoint.enabled',
    ]);
  });

  it('rotate-secret: returns a new one, once', async () => {
    const api = byOwner(await newWorkspace());
    const { endpoint, secret } = await made(api);
    const rotated = await api.post(`${ENDPOINTS}/${endpoint.id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({ endpoint, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.body.secret).not.toBe(secret);
  });

  it('delete: leaves nothing', async () => {
    const api = byOwner(await newWorkspace());
    const { endpoint } = await made(api);
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const gone = await api.delete(path);
    expect(gone.status).toBe(204);
    expect(gone.text).toBe('');
    expect((await api.get(path)).status).toBe(404);
    expect((await api.delete(path)).status).toBe(404);
    const { rows } = await database().query('SELECT FROM webhook_endpoints WHERE id = $1', [endpoint.id]);
    expect(rows).toEqual([]);
  });

  it('returns 404 for ids that are none', async () => {
    const api = byOwner(await newWorkspace());
    for (const id of [
      'x',
      'whe_',
      'whe_01k7q3v5yzf8c9m2n4p6r8t0vw',
      'msg_01k7q3v5yzf8c9m2n4p6r8t0vw',
      '%00',
    ]) {
      const { status } = await api.get(`${ENDPOINTS}/${id}`);
      expect(id === '%00' ? [400, 404] : [404]).toContain(status);
    }
  });

  it('lists newest first, page by page', async () => {
    const api = byOwner(await newWorkspace());
    const all = [];
    for (let index = 0; index < 3; index++) all.unshift((await made(api)).endpoint.id);
    const first = await api.get(`${ENDPOINTS}?limit=2`);
    expect(ids(first)).toEqual(all.slice(0, 2));
    const rest = await api.get(`${ENDPOINTS}?limit=2&cursor=${first.body.nextCursor}`);
    expect(ids(rest)).toEqual(all.slice(2));
    expect(rest.body.nextCursor).toBeNull();
    expect((await api.get(`${ENDPOINTS}?cursor=nope`)).status).toBe(400);
  });
});

describe('Who may', () => {
  it.each([
    ['owner', 'token', 200, 201],
    ['owner', 'cookie', 200, 201],
    ['admin', 'cookie', 200, 201],
    ['admin', 'token', 403, 403],
    ['member', 'cookie', 403, 403],
    ['member', 'token', 403, 403],
    ['guest', 'token', 403, 403],
  ] as const)('as %s by %s: %i to read, %i to register', async (role, by, read, write) => {
    const workspace = await newWorkspace();
    const person = role === 'owner' ? workspace.owner : await workspace.person(role);
    const api = client({ [by]: person[by], workspace: workspace.slug });
    expect((await api.get(ENDPOINTS)).status).toBe(read);
    expect((await api.post(ENDPOINTS, { url: URL })).status).toBe(write);
  });

  it('lets API keys do everything', async () => {
    const workspace = await newWorkspace();
    const api = client({ token: await workspace.apiKey() });
    const { endpoint } = await made(api);
    const path = `${ENDPOINTS}/${endpoint.id}`;
    expect((await api.post(`${path}/enable`)).status).toBe(200);
    expect((await api.post(`${path}/rotate-secret`)).status).toBe(200);
    expect((await api.patch(path, { description: 'x' })).status).toBe(200);
    expect((await api.delete(path)).status).toBe(204);
  });

  it('lets an agent of an owner read, test and redeliver only', async () => {
    const workspace = await newWorkspace();
    const { endpoint } = await made(byOwner(workspace));
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const scopes = ['workspace.webhooks:read', 'workspace.webhooks:write'];
    const agent = client({ token: await workspace.owner.agent({ scopes }) });
    expect((await agent.get(ENDPOINTS)).status).toBe(200);
    expect((await agent.get(path)).status).toBe(200);
    expect((await agent.get(`${path}/deliveries`)).status).toBe(200);
    const redelivered = await agent.post(`${path}/deliveries/msg_01k7q3v5yzf8c9m2n4p6r8t0vw/redeliver`);
    expect(redelivered.status).toBe(404);
    for (const answer of [
      await agent.post(ENDPOINTS, { url: URL }),
      await agent.patch(path, { description: 'x' }),
      await agent.delete(path),
      await agent.post(`${path}/enable`),
      await agent.post(`${path}/rotate-secret`),
      await agent.post(`${path}/recover`, { since: new Date().toISOString() }),
    ]) {
      expect(answer.status).toBe(403);
    }
    const admin = await workspace.person('admin');
    const ofAdmin = client({ token: await admin.agent({ scopes }) });
    expect((await ofAdmin.get(ENDPOINTS)).status).toBe(403);
  });

  it('asks tokens for the scope of each route', async () => {
    const workspace = await newWorkspace();
    const { endpoint } = await made(byOwner(workspace));
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const withScope = async (scope: string): Promise<Client> =>
      client({ token: await workspace.owner.tokenWith({ scopes: [scope] }), workspace: workspace.slug });
    const reader = await withScope('workspace.webhooks:read');
    const writer = await withScope('workspace.webhooks:write');
    expect((await reader.get(path)).status).toBe(200);
    expect((await writer.get(path)).status).toBe(403);
    expect((await reader.post(ENDPOINTS, { url: URL })).status).toBe(403);
    expect((await reader.post(`${path}/test`)).status).toBe(403);
    expect((await writer.patch(path, { description: 'x' })).status).toBe(200);
  });
});
