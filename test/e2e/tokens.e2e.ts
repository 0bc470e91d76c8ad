import { describe, expect, inject, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { connect } from '../support/oauth.js';

const TOKENS = '/v1/account/tokens';
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const inAYear = () => new Date(Date.now() + 365 * 24 * 3600_000).toISOString();

describe('POST /v1/account/tokens', () => {
  it('makes a token that is shown once', async () => {
    const { owner, slug } = await newWorkspace();
    const app = client({ cookie: owner.cookie });
    const expiresAt = inAYear();
    const input = {
      name: 'Zoë’s laptop 🧑‍💻',
      scopes: ['runs:read', 'scripts:write'],
      workspaces: [slug],
      expiresAt,
    };
    const made = await app.post(TOKENS, input);
    expect(made.status).toBe(201);
    const { token, ...record } = made.body;
    expect(token).toMatch(/^svc_pat_[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      ...input,
      id: expect.stringMatching(/^pat_[0-9a-z]{26}$/),
      last4: token.slice(-4),
      lastUsedAt: null,
      lastUsedAddress: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const list = await app.get(TOKENS);
    expect(list.body.items[0]).toEqual(record);
    expect(list.text).not.toContain(token);
    const { rows } = await database().query('SELECT t::text AS text FROM personal_tokens t WHERE id = $1', [
      record.id,
    ]);
    expect(rows[0].text).not.toContain(token);
  });

  it('leaves workspaces and end open when they are null or absent', async () => {
    const { owner } = await newWorkspace();
    const app = client({ cookie: owner.cookie });
    for (const body of [
      { name: 'a', scopes: ['files:read'] },
      { name: 'a', scopes: ['files:read'], workspaces: null, expiresAt: null },
    ]) {
      const made = await app.post(TOKENS, body);
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ workspaces: null, expiresAt: null });
    }
  });

  it.each([
    [{}, ['name', 'scopes']],
    [{ name: '' }, ['name']],
    [{ name: '   ' }, ['name']],
    [{ name: 'a\nb' }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ name: null }, ['name']],
    [{ name: 7 }, ['name']],
    [{ scopes: [] }, ['scopes']],
    [{ scopes: null }, ['scopes']],
    [{ scopes: 'runs:read' }, ['scopes']],
    [{ scopes: [1] }, ['scopes']],
    [{ scopes: ['runs:read', 'runs:*', 'runs:read'] }, ['scopes.1', 'scopes.2']],
    [{ workspaces: [] }, ['workspaces']],
    [{ workspaces: 'acme' }, ['workspaces']],
    [{ workspaces: ['no-such-workspace'] }, ['workspaces.0']],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, ['expiresAt']],
    [{ expiresAt: '2999-02-30T00:00:00.000Z' }, ['expiresAt']],
    [{ expiresAt: '2999-01-01' }, ['expiresAt']],
    [{ expiresAt: 4102444800 }, ['expiresAt']],
    [{ token: 'mine' }, ['token']],
  ])('refuses %j at %j', async (fields, at) => {
    const { owner } = await newWorkspace();
    const whole = Object.keys(fields).length > 0 ? { name: 'a', scopes: ['runs:read'], ...fields } : fields;
    const answer = await client({ cookie: owner.cookie }).post(TOKENS, whole);
    expect([answer.status, paths(answer).sort()]).toEqual([400, at]);
  });

  it("does not take another's workspace", async () => {
    const [mine, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const body = { name: 'a', scopes: ['runs:read'], workspaces: [mine.slug, other.slug] };
    const answer = await client({ cookie: mine.owner.cookie }).post(TOKENS, body);
    expect([answer.status, paths(answer)]).toEqual([400, ['workspaces.1']]);
  });

  it('gives a retry the same token', async () => {
    const { owner } = await newWorkspace();
    const app = client({ cookie: owner.cookie });
    const body = { name: 'once', scopes: ['runs:read'] };
    const first = await app.post(TOKENS, body, { 'idempotency-key': 'k' });
    const second = await app.post(TOKENS, body, { 'idempotency-key': 'k' });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('what a token may', () => {
  it('is what scopes, workspaces, role and time allow, all of them', async () => {
    const [{ owner, slug }, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const get = async (token: string, workspace?: string) =>
      (await client({ token, ...(workspace && { workspace }) }).get('/v1/workspace')).status;
    const reads = await owner.tokenWith({ scopes: ['workspace:read'], workspaces: [slug] });
    expect(await get(reads, slug)).toBe(200);
    expect(await get(reads)).toBe(400);
    expect(await get(reads, other.slug)).toBe(403);
    expect(await get(reads, 'no-such-workspace')).toBe(403);
    expect(await get(await owner.tokenWith({ scopes: ['workspace:write'] }), slug)).toBe(403);
    const brief = await owner.tokenWith({ expiresAt: inAYear() });
    expect(await get(brief, slug)).toBe(200);
    await database().query(
      `UPDATE personal_tokens SET expires_at = now() WHERE expires_at IS NOT NULL AND user_id = $1`,
      [owner.id],
    );
    expect(await get(brief, slug)).toBe(401);
  });

  it('is said with a refusal: which scope is missing, for apps and programs alike', async () => {
    const workspace = await newWorkspace();
    const { owner, slug } = workspace;
    const tokens = [
      await owner.tokenWith({ scopes: ['workspace:read'] }),
      (await connect(owner, { workspace: slug, scopes: ['workspace:read'] })).access_token,
    ];
    for (const token of tokens) {
      const api = client({ token, workspace: slug });
      const { status, headers } = await api.get('/v1/runs');
      expect([status, headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="runs:read"',
      ]);
      const write = await api.patch('/v1/workspace', { name: 'New' });
      expect(write.headers.get('www-authenticate')).toContain('scope="workspace:write"');
    }
    // No scope helps a person whose role is not enough.
    const { token } = await workspace.person('member');
    const refused = await client({ token, workspace: slug }).get('/v1/workspace/audit-events');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  it('ends at a workspace that the list leaves out', async () => {
    const { owner, slug } = await newWorkspace();
    const second = `${slug}-2`;
    await client({ cookie: owner.cookie }).post('/v1/workspaces', { name: 'Two', slug: second });
    const token = await owner.tokenWith({ workspaces: [second] });
    expect((await client({ token, workspace: slug }).get('/v1/workspace')).status).toBe(403);
    expect((await client({ token, workspace: second }).get('/v1/workspace')).status).toBe(200);
    const me = await client({ token }).get('/v1/user/me');
    expect(me.body.workspaces.map((workspace: { slug: string }) => workspace.slug)).toEqual([second]);
  });
});

describe('GET /v1/account/tokens', () => {
  it("pages through one's own, newest first", async () => {
    const { owner, person } = await newWorkspace();
    const someone = await person('member');
    const app = client({ cookie: owner.cookie });
    for (const name of ['b', 'c', 'd']) await app.post(TOKENS, { name, scopes: ['runs:read'] });
    const first = await app.get(`${TOKENS}?limit=3`);
    expect(first.body.items.map(({ name }: { name: string }) => name)).toEqual(['d', 'c', 'b']);
    const last = await app.get(`${TOKENS}?limit=3&cursor=${first.body.nextCursor}`);
    expect(last.body.items.map(({ name }: { name: string }) => name)).toEqual(['test token']);
    expect(last.body.nextCursor).toBeNull();
    const foreign = await client({ cookie: someone.cookie }).get(`${TOKENS}?cursor=${first.body.nextCursor}`);
    expect([foreign.status, paths(foreign)]).toEqual([400, ['cursor']]);
  });

  it.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=x', 'limit=', 'cursor=x', 'q=1'])(
    'refuses ?%s',
    async (query) => {
      const { owner } = await newWorkspace();
      const answer = await client({ cookie: owner.cookie }).get(`${TOKENS}?${query}`);
      expect([answer.status, paths(answer)]).toEqual([400, [query.split('=')[0]]]);
    },
  );

  it('shows when a token was last used', async () => {
    const { owner } = await newWorkspace();
    await database().query('UPDATE personal_tokens SET last_used_at = $2 WHERE user_id = $1', [
      owner.id,
      '2026-01-02T03:04:05.678Z',
    ]);
    const list = await client({ cookie: owner.cookie }).get(TOKENS);
    expect(list.body.items[0].lastUsedAt).toBe('2026-01-02T03:04:05.678Z');
  });

  it('is for people in the app alone', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const body = { name: 'more', scopes: ['workspace:write'] };
    expect((await client().get(TOKENS)).status).toBe(401);
    expect((await client().post(TOKENS, body)).status).toBe(401);
    for (const token of [owner.token, await workspace.apiKey(), await owner.agent()]) {
      const api = client({ token, workspace: workspace.slug });
      expect((await api.get(TOKENS)).status).toBe(403);
      expect((await api.post(TOKENS, body)).status).toBe(403);
      expect((await api.delete(`${TOKENS}/pat_00000000000000000000000000`)).status).toBe(403);
    }
  });
});

describe('DELETE /v1/account/tokens/{id}', () => {
  it('revokes at once, and once', async () => {
    const { owner, slug } = await newWorkspace();
    const app = client({ cookie: owner.cookie });
    const made = await app.post(TOKENS, { name: 'gone soon', scopes: ['workspace:read'] });
    const api = client({ token: made.body.token, workspace: slug });
    expect((await api.get('/v1/workspace')).status).toBe(200);
    const answer = await app.delete(`${TOKENS}/${made.body.id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await api.get('/v1/workspace')).status).toBe(401);
    expect((await app.delete(`${TOKENS}/${made.body.id}`)).status).toBe(404);
    const left = (await app.get(TOKENS)).body.items.map(({ name }: { name: string }) => name);
    expect(left).toEqual(['test token']);
  });

  it("does not find another's, or what is no id", async () => {
    const { owner, person } = await newWorkspace();
    const someone = await person('admin');
    const id = (await client({ cookie: someone.cookie }).get(TOKENS)).body.items[0].id;
    const app = client({ cookie: owner.cookie });
    for (const which of [id, 'pat_x', id.replace('pat_', 'key_'), '%00', 'x'.repeat(300)]) {
      const answer = await app.delete(`${TOKENS}/${which}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
    expect((await client({ token: someone.token }).get('/v1/user/me')).status).toBe(200);
  });
});

describe('GET /v1/user/me', () => {
  it("is the token's person", async () => {
    const { id, owner, slug } = await newWorkspace();
    const answer = await client({ token: await owner.tokenWith({ scopes: ['files:read'] }) }).get(
      '/v1/user/me',
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: owner.id,
      name: owner.name,
      email: owner.email,
      workspaces: [{ id, name: 'Acme', slug, role: 'owner' }],
    });
  });

  it('takes a personal access token only', async () => {
    const workspace = await newWorkspace();
    expect((await client().get('/v1/user/me')).status).toBe(401);
    expect((await client({ token: `${workspace.owner.token}x` }).get('/v1/user/me')).status).toBe(401);
    for (const token of [await workspace.apiKey(), await workspace.owner.agent()]) {
      const answer = await client({ token }).get('/v1/user/me');
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    }
    expect((await client({ cookie: workspace.owner.cookie }).get('/v1/user/me')).status).toBe(403);
  });
});

describe('DELETE /v1/user/token', () => {
  it('revokes the token of the call and no other', async () => {
    const { owner } = await newWorkspace();
    const token = await owner.tokenWith({ scopes: ['files:read'] });
    const answer = await client({ token }).delete('/v1/user/token');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await client({ token }).get('/v1/user/me')).status).toBe(401);
    expect((await client({ token }).delete('/v1/user/token')).status).toBe(401);
    expect((await client({ token: owner.token }).get('/v1/user/me')).status).toBe(200);
  });

  it('takes a personal access token only', async () => {
    const workspace = await newWorkspace();
    const key = await workspace.apiKey();
    expect((await client().delete('/v1/user/token')).status).toBe(401);
    expect((await client({ token: key }).delete('/v1/user/token')).status).toBe(403);
    expect((await client({ cookie: workspace.owner.cookie }).delete('/v1/user/token')).status).toBe(403);
    expect((await client({ token: key }).get('/v1/workspace')).status).toBe(200);
  });
});

describe('where personal access tokens are switched off', () => {
  it('none works or can be made, and those there are can still be revoked', async () => {
    const { owner, slug } = await newWorkspace();
    const gatehouse = await startGatehouse({
      env: { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_ROLE: 'api', GATEHOUSE_PERSONAL_TOKENS: 'off' },
    });
    try {
      const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
        const answer = await fetch(`${gatehouse.baseUrl}${path}`, {
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
      };
      const byToken = { authorization: `Bearer ${owner.token}`, 'x-workspace': slug };
      const inApp = { cookie: owner.cookie };
      expect(await ask('GET', '/v1/user/me', byToken)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
      expect((await ask('GET', '/v1/user/me', {})).status).toBe(404);
      expect((await ask('DELETE', '/v1/user/token', byToken)).status).toBe(404);
      expect((await ask('GET', '/v1/workspace', byToken)).status).toBe(401);
      expect((await ask('POST', TOKENS, inApp, { name: 'a', scopes: ['runs:read'] })).status).toBe(404);
      const list = (await ask('GET', TOKENS, inApp)) as { status: number; body: { items: { id: string }[] } };
      expect(list.status).toBe(200);
      expect((await ask('DELETE', `${TOKENS}/${list.body.items[0]!.id}`, inApp)).status).toBe(204);
    } finally {
      await gatehouse.stop();
    }
  });
});
