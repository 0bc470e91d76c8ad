import { describe, expect, inject, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';

const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
let count = 0;
const newSlug = () => `made-${process.pid}-${Date.now().toString(36)}-${count++}`;

describe('POST /v1/workspaces', () => {
  it('makes a workspace with an owner, a team of everyone and production', async () => {
    const { owner } = await newWorkspace();
    const slug = newSlug();
    const made = await client({ cookie: owner.cookie }).post('/v1/workspaces', { name: 'Zoë & Söhne', slug });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({ id: expect.stringMatching(/^wks_[0-9a-z]{26}$/), name: 'Zoë & Söhne', slug });
    const api = client({ cookie: owner.cookie, workspace: slug });
    const members = (await api.get('/v1/workspace/members')).body.items;
    expect(members).toMatchObject([{ userId: owner.id, role: 'owner' }]);
    const environments = (await api.get('/v1/workspace/environments')).body.items;
    expect(environments).toMatchObject([
      {
        name: 'production',
        approvalPolicy: 'none',
        agentsAllowed: true,
        isDefault: true,
        createdByUserId: owner.id,
      },
    ]);
    const { rows } = await database().query(
      `SELECT t.name, t.is_default, m.user_id FROM teams t JOIN team_members m ON m.team_id = t.id
       WHERE t.workspace_id = $1`,
      [made.body.id],
    );
    expect(rows).toEqual([{ name: 'Everyone', is_default: true, user_id: owner.id }]);
    const me = await client({ cookie: owner.cookie }).get('/v1/auth/session');
    expect(me.body.workspaces).toContainEqual({ id: made.body.id, name: 'Zoë & Söhne', slug, role: 'owner' });
  });

  it('refuses a slug that is taken, and leaves nothing behind', async () => {
    const [mine, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const again = await client({ cookie: mine.owner.cookie }).post('/v1/workspaces', {
      name: 'A',
      slug: other.slug,
    });
    expect([again.status, again.body.error.code, paths(again)]).toEqual([409, 'conflict', ['slug']]);
    const me = await client({ cookie: mine.owner.cookie }).get('/v1/auth/session');
    expect(me.body.workspaces).toHaveLength(1);
  });

  it('makes one of two with the same slug at once', async () => {
    const [mine, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const body = { name: 'A', slug: newSlug() };
    const answers = await Promise.all(
      [mine, other].map(({ owner }) => client({ cookie: owner.cookie }).post('/v1/workspaces', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it.each([
    [{}, ['name', 'slug']],
    [{ slug: 'Acme' }, ['slug']],
    [{ slug: '-acme' }, ['slug']],
    [{ slug: 'a_b' }, ['slug']],
    [{ slug: 'ä' }, ['slug']],
    [{ slug: 'a\n' }, ['slug']],
    [{ slug: '' }, ['slug']],
    [{ slug: 'x'.repeat(51) }, ['slug']],
    [{ slug: null }, ['slug']],
    [{ slug: 5 }, ['slug']],
    [{ name: '' }, ['name']],
    [{ name: '\u00a0' }, ['name']],
    [{ name: 'a\u0007' }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ owner: 'usr_x' }, ['owner']],
  ])('refuses %j at %j', async (fields, at) => {
    const { owner } = await newWorkspace();
    const whole = Object.keys(fields).length > 0 ? { name: 'A', slug: 'never-made', ...fields } : fields;
    const answer = await client({ cookie: owner.cookie }).post('/v1/workspaces', whole);
    expect([answer.status, paths(answer).sort()]).toEqual([400, at]);
  });

  it('is for people in the app alone', async () => {
    const workspace = await newWorkspace();
    const body = { name: 'A', slug: newSlug() };
    expect((await client().post('/v1/workspaces', body)).status).toBe(401);
    for (const token of [workspace.owner.token, await workspace.apiKey(), await workspace.owner.agent()]) {
      expect((await client({ token, workspace: workspace.slug }).post('/v1/workspaces', body)).status).toBe(
        403,
      );
    }
  });

  it('counts for the owner who has been in it for longest of those who took it, whoever that is by now', async () => {
    const { id, slug, owner, person } = await newWorkspace();
    const second = await person('member');
    const api = client({ cookie: owner.cookie, workspace: slug });
    const members = (await api.get('/v1/workspace/members')).body.items as { id: string; userId: string }[];
    const memberOf = (userId: string) => members.find((member) => member.userId === userId)!.id;
    const countsFor = async (): Promise<string> =>
      (await database().query('SELECT owner_user_id FROM workspaces WHERE id = $1', [id])).rows[0]
        .owner_user_id;
    expect(await countsFor()).toBe(owner.id);
    const change = (by: string, userId: string, role: string) =>
      client({ cookie: by, workspace: slug }).patch(`/v1/workspace/members/${memberOf(userId)}`, { role });
    expect((await change(owner.cookie, second.id, 'owner')).status).toBe(200);
    expect(await countsFor()).toBe(owner.id);
    expect((await change(second.cookie, owner.id, 'admin')).status).toBe(200);
    expect(await countsFor()).toBe(second.id);
    expect((await change(second.cookie, owner.id, 'owner')).status).toBe(200);
    // It comes to nobody unasked.
    expect(await countsFor()).toBe(second.id);
    expect((await change(owner.cookie, owner.id, 'owner')).status).toBe(200);
    expect(await countsFor()).toBe(owner.id);
    expect((await api.delete(`/v1/workspace/members/${memberOf(owner.id)}`)).status).toBe(204);
    expect(await countsFor()).toBe(second.id);
  });

  it('takes an owner where the instance is by invitation', async () => {
    const { owner, person, slug } = await newWorkspace();
    const admin = await person('admin');
    const gatehouse = await startGatehouse({
      env: { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_ROLE: 'api' },
    });
    try {
      const make = (cookie: string, body: object) =>
        fetch(`${gatehouse.baseUrl}/v1/workspaces`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await make(admin.cookie, { name: 'A', slug: newSlug() })).status).toBe(403);
      // Who may not is told so before what they sent is looked at.
      expect((await make(admin.cookie, {})).status).toBe(403);
      expect((await make(owner.cookie, { name: 'A', slug: newSlug() })).status).toBe(201);
    } finally {
      await gatehouse.stop();
    }
    expect((await client({ cookie: admin.cookie, workspace: slug }).get('/v1/workspace')).status).toBe(200);
  });
});

describe('GET /v1/workspace', () => {
  it('is shown to everybody in it', async () => {
    const workspace = await newWorkspace();
    const { id, slug, owner } = workspace;
    const guest = await workspace.person('guest');
    for (const api of [
      client({ token: owner.token, workspace: slug }),
      client({ cookie: guest.cookie, workspace: slug }),
      client({ token: guest.token, workspace: slug }),
      client({ token: await guest.agent({ scopes: ['workspace:read'] }), workspace: slug }),
      client({ token: await workspace.apiKey() }),
      client({ token: await workspace.apiKey('production') }),
    ]) {
      const answer = await api.get('/v1/workspace');
      expect([answer.status, answer.body]).toEqual([200, { id, name: 'Acme', slug }]);
    }
  });

  it('refuses, in order: no credential, no workspace, a strange one, a strange environment, a missing scope', async () => {
    const workspace = await newWorkspace();
    const stranger = (await newWorkspace()).owner;
    const { slug, owner } = workspace;
    const ask = async (options: Parameters<typeof client>[0]) =>
      (await client(options).get('/v1/workspace')).status;
    expect(await ask({ workspace: slug })).toBe(401);
    expect(await ask({ token: owner.token })).toBe(400);
    expect(await ask({ cookie: owner.cookie })).toBe(400);
    expect(await ask({ token: stranger.token, workspace: slug })).toBe(403);
    expect(await ask({ cookie: stranger.cookie, workspace: slug })).toBe(403);
    expect(await ask({ token: owner.token, workspace: slug, environment: 'nowhere' })).toBe(400);
    expect(await ask({ token: await owner.tokenWith({ scopes: ['runs:read'] }), workspace: slug })).toBe(403);
    expect(await ask({ token: await owner.agent({ scopes: ['runs:read'] }), workspace: slug })).toBe(403);
  });

  it('keeps an agent in its workspace', async () => {
    const workspace = await newWorkspace();
    const second = newSlug();
    await client({ cookie: workspace.owner.cookie }).post('/v1/workspaces', { name: 'Two', slug: second });
    const token = await workspace.owner.agent();
    expect((await client({ token, workspace: workspace.slug }).get('/v1/workspace')).status).toBe(200);
    expect((await client({ token, workspace: second }).get('/v1/workspace')).status).toBe(403);
    expect((await client({ token, workspace: newSlug() }).get('/v1/workspace')).status).toBe(403);
    expect((await client({ token }).get('/v1/workspace')).body.slug).toBe(workspace.slug);
    await database().query('DELETE FROM memberships WHERE user_id = $1 AND workspace_id = $2', [
      workspace.owner.id,
      workspace.id,
    ]);
    expect((await client({ token }).get('/v1/workspace')).status).toBe(403);
  });

  it('ends with the membership', async () => {
    const workspace = await newWorkspace();
    const member = await workspace.person('member');
    await database().query('DELETE FROM memberships WHERE user_id = $1', [member.id]);
    const { cookie, token } = member;
    expect((await client({ cookie, workspace: workspace.slug }).get('/v1/workspace')).status).toBe(403);
    expect((await client({ token, workspace: workspace.slug }).get('/v1/workspace')).status).toBe(403);
    expect((await client({ token }).get('/v1/user/me')).body.workspaces).toEqual([]);
  });
});

describe('PATCH /v1/workspace', () => {
  it('renames', async () => {
    const { id, slug, owner } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const answer = await api.patch('/v1/workspace', { name: 'Ünïcode 名前' });
    expect([answer.status, answer.body]).toEqual([200, { id, name: 'Ünïcode 名前', slug }]);
    expect((await api.get('/v1/workspace')).body.name).toBe('Ünïcode 名前');
    expect((await api.patch('/v1/workspace', {})).body.name).toBe('Ünïcode 名前');
  });

  it.each([
    [{ name: null }, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'a\tb' }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ slug: 'other' }, ['slug']],
  ])('refuses %j at %j', async (body, at) => {
    const { slug, owner } = await newWorkspace();
    const answer = await client({ token: owner.token, workspace: slug }).patch('/v1/workspace', body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
  });

  it('takes an owner and the scope', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const refused = [
      client({ token: await owner.tokenWith({ scopes: ['workspace:read'] }), workspace: slug }),
      client({ token: (await workspace.person('admin')).token, workspace: slug }),
      client({ cookie: (await workspace.person('member')).cookie, workspace: slug }),
      client({ cookie: (await workspace.person('guest')).cookie, workspace: slug }),
      client({ token: await workspace.apiKey() }),
    ];
    for (const api of refused) {
      expect((await api.patch('/v1/workspace', { name: '' })).status).toBe(403);
      expect((await api.delete('/v1/workspace')).status).toBe(403);
    }
    expect((await client({ cookie: owner.cookie, workspace: slug }).get('/v1/workspace')).body.name).toBe(
      'Acme',
    );
  });
});

describe('DELETE /v1/workspace', () => {
  it('ends it with its keys and agents; tokens work on elsewhere and the slug is free', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const other = newSlug();
    const app = client({ cookie: owner.cookie });
    await app.post('/v1/workspaces', { name: 'Other', slug: other });
    const key = await workspace.apiKey();
    const agent = await owner.agent();
    const answer = await client({ token: owner.token, workspace: slug }).delete('/v1/workspace');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await client({ token: owner.token, workspace: slug }).get('/v1/workspace')).status).toBe(403);
    expect((await client({ token: key }).get('/v1/workspace')).status).toBe(401);
    expect((await client({ token: agent, workspace: slug }).get('/v1/workspace')).status).toBe(401);
    expect((await client({ token: owner.token, workspace: other }).get('/v1/workspace')).status).toBe(200);
    const me = await app.get('/v1/auth/session');
    expect(me.body.workspaces.map((left: { slug: string }) => left.slug)).toEqual([other]);
    const again = await app.post('/v1/workspaces', { name: 'Again', slug });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(workspace.id);
    expect((await client({ token: key }).get('/v1/workspace')).status).toBe(401);
  });

  it('takes no body', async () => {
    const { slug, owner } = await newWorkspace();
    const answer = await fetch(`${inject('baseUrl')}/v1/workspace`, {
      method: 'DELETE',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'x-workspace': slug,
        'content-type': 'application/json',
      },
      body: '{"force":true}',
    });
    expect(answer.status).toBe(400);
    expect((await client({ token: owner.token, workspace: slug }).get('/v1/workspace')).status).toBe(200);
  });
});
