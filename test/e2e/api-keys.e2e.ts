import { describe, expect, it } from 'vitest';

import type { Answer, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';

const KEYS = '/v1/workspace/api-keys';
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const app = ({ owner, slug }: TestWorkspace) => client({ cookie: owner.cookie, workspace: slug });

describe('POST /v1/workspace/api-keys', () => {
  it('makes a key that is shown once and acts as an admin without a person', async () => {
    const workspace = await newWorkspace();
    const made = await app(workspace).post(KEYS, { name: 'CI 🚀' });
    expect(made.status).toBe(201);
    const { key, ...record } = made.body;
    expect(key).toMatch(/^svc_sk_[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: 'CI 🚀',
      environment: null,
      last4: key.slice(-4),
      createdByUserId: workspace.owner.id,
      scopes: null,
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    const list = await app(workspace).get(KEYS);
    expect(list.body).toEqual({ items: [record], nextCursor: null });
    const api = client({ token: key });
    expect((await api.get('/v1/workspace')).body.id).toBe(workspace.id);
    expect((await api.get('/v1/workspace/invitations')).status).toBe(200);
    expect((await api.patch('/v1/workspace', { name: 'Mine' })).status).toBe(403);
    const { rows } = await database().query('SELECT k::text AS text FROM api_keys k WHERE id = $1', [
      record.id,
    ]);
    expect(rows[0].text).not.toContain(key);
  });

  it('ignores x-workspace', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const token = await workspace.apiKey();
    for (const name of [other.slug, 'no-such-workspace', '', ' ']) {
      const { status, body } = await client({ token }).get('/v1/workspace', { 'x-workspace': name });
      expect([name, status, body.id]).toEqual([name, 200, workspace.id]);
    }
  });

  it('binds a key to an environment by name', async () => {
    const workspace = await newWorkspace();
    const api = app(workspace);
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const made = await api.post(KEYS, { name: 'bound', environment: 'staging' });
    expect([made.status, made.body.environment]).toEqual([201, 'staging']);
    const bound = (environment?: string) =>
      client({ token: made.body.key, ...(environment && { environment }) });
    expect((await bound().get('/v1/workspace')).status).toBe(200);
    expect((await bound('staging').get('/v1/workspace')).status).toBe(200);
    expect((await bound('production').get('/v1/workspace')).status).toBe(403);
    // Which others there are is nothing that it may find out.
    expect((await bound('nowhere').get('/v1/workspace')).status).toBe(403);
    await api.patch('/v1/workspace/environments/staging', { name: 'stage' });
    expect((await api.get(KEYS)).body.items[0].environment).toBe('stage');
    expect((await bound('stage').get('/v1/workspace')).status).toBe(200);
  });

  it.each([
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'a\u0000b' }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ name: null }, ['name']],
    [{ name: 'a', environment: 'nowhere' }, ['environment']],
    [{ name: 'a', environment: '' }, ['environment']],
    [{ name: 'a', environment: 1 }, ['environment']],
    [{ name: 'a', scopes: [] }, ['scopes']],
    [{ name: 'a', scopes: 'runs:read' }, ['scopes']],
    [{ name: 'a', scopes: [1] }, ['scopes']],
    [{ name: 'a', scopes: ['runs:read', 'runs:*', 'runs:read'] }, ['scopes.1', 'scopes.2']],
    [{ name: 'a', expiresAt: '2020-01-01T00:00:00.000Z' }, ['expiresAt']],
    [{ name: 'a', expiresAt: '2999-01-01' }, ['expiresAt']],
    [{ name: 'a', role: 'owner' }, ['role']],
  ])('refuses %j at %j', async (body, at) => {
    const answer = await app(await newWorkspace()).post(KEYS, body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
  });

  it('takes names of 100 characters, however many bytes they are', async () => {
    const made = await app(await newWorkspace()).post(KEYS, { name: '🔑'.repeat(100) });
    expect(made.status).toBe(201);
  });
});

describe('who may see, make and revoke keys', () => {
  it('are owners and admins in the app', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const key = await workspace.apiKey();
    const id = (await app(workspace).get(KEYS)).body.items[0].id;
    const admin = await workspace.person('admin');
    const refused = [
      client({ cookie: (await workspace.person('member')).cookie, workspace: slug }),
      client({ cookie: (await workspace.person('guest')).cookie, workspace: slug }),
      client({ token: owner.token, workspace: slug }),
      client({ token: await owner.agent(), workspace: slug }),
      client({ token: key }),
      client({ cookie: (await newWorkspace()).owner.cookie, workspace: slug }),
    ];
    for (const api of refused) {
      for (const answer of [
        await api.get(KEYS),
        await api.post(KEYS, { nonsense: 1 }),
        await api.delete(`${KEYS}/${id}`),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
      }
    }
    expect((await client({ workspace: slug }).get(KEYS)).status).toBe(401);
    const byAdmin = client({ cookie: admin.cookie, workspace: slug });
    expect((await byAdmin.get(KEYS)).status).toBe(200);
    expect((await byAdmin.post(KEYS, { name: 'another' })).body.createdByUserId).toBe(admin.id);
    expect((await byAdmin.delete(`${KEYS}/${id}`)).status).toBe(204);
  });

  it('does not let a page of another site make one', async () => {
    const answer = await app(await newWorkspace()).post(
      KEYS,
      { name: 'a' },
      { origin: 'https://evil.example' },
    );
    expect(answer.status).toBe(403);
  });
});

describe('GET /v1/workspace/api-keys', () => {
  it("pages through the workspace's own, newest first", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    await other.apiKey();
    const api = app(workspace);
    for (const name of ['a', 'b', 'c']) await api.post(KEYS, { name });
    const first = await api.get(`${KEYS}?limit=2`);
    expect(first.body.items.map(({ name }: { name: string }) => name)).toEqual(['c', 'b']);
    const last = await api.get(`${KEYS}?limit=2&cursor=${first.body.nextCursor}`);
    expect(last.body.items.map(({ name }: { name: string }) => name)).toEqual(['a']);
    expect(last.body.nextCursor).toBeNull();
    const foreign = await app(other).get(`${KEYS}?cursor=${first.body.nextCursor}`);
    expect([foreign.status, paths(foreign)]).toEqual([400, ['cursor']]);
    expect((await api.get(`${KEYS}?limit=0`)).status).toBe(400);
  });
});

describe('DELETE /v1/workspace/api-keys/{id}', () => {
  it('revokes at once, and once', async () => {
    const workspace = await newWorkspace();
    const token = await workspace.apiKey();
    const id = (await app(workspace).get(KEYS)).body.items[0].id;
    const answer = await app(workspace).delete(`${KEYS}/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await client({ token }).get('/v1/workspace')).status).toBe(401);
    expect((await app(workspace).get(KEYS)).body.items).toEqual([]);
    expect((await app(workspace).delete(`${KEYS}/${id}`)).status).toBe(404);
  });

  it("does not find another workspace's", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const token = await other.apiKey();
    const id = (await app(other).get(KEYS)).body.items[0].id;
    for (const which of [id, 'key_x', 'x'])
      expect((await app(workspace).delete(`${KEYS}/${which}`)).status).toBe(404);
    expect((await client({ token }).get('/v1/workspace')).status).toBe(200);
  });
});
