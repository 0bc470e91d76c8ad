import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Answer, TestRole, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { untilSomebodyWaitsFor } from '../support/locking.js';
import {
  INVITATIONS,
  MEMBERS,
  auditOf,
  byToken,
  credentials,
  eventsOf,
  inApp,
  membership,
  newMember,
  newTeam,
} from '../support/people.js';
import { python } from '../support/scripts.js';

const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });

/** Each credential that could ask for `path`, and the status that it gets. */
async function statuses(workspace: TestWorkspace, path: string): Promise<Record<string, number>> {
  const { slug, owner } = workspace;
  const found: Record<string, number> = {};
  for (const role of ['admin', 'member', 'guest'] as const) {
    const { cookie, token } = await workspace.person(role);
    found[`${role} in the app`] = (await client({ cookie, workspace: slug }).get(path)).status;
    found[`${role} by token`] = (await client({ token, workspace: slug }).get(path)).status;
  }
  found['key'] = (await client({ token: await workspace.apiKey() }).get(path)).status;
  found['bound key'] = (await client({ token: await workspace.apiKey('production') }).get(path)).status;
  found['agent'] = (await client({ token: await owner.agent(), workspace: slug }).get(path)).status;
  const narrow = await owner.tokenWith({ scopes: ['workspace:read', 'workspace.members:write'] });
  found['without the scope'] = (await client({ token: narrow, workspace: slug }).get(path)).status;
  found['nobody'] = (await client({ workspace: slug }).get(path)).status;
  return found;
}

describe('GET /v1/workspace/members', () => {
  it('lists people with their roles, newest first, page by page', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const admin = await workspace.person('admin');
    const guest = await workspace.person('guest');
    const first = await byOwner(workspace).get(`${MEMBERS}?limit=2`);
    expect(first.status).toBe(200);
    const record = (person: typeof owner, role: string) => ({
      id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
      userId: person.id,
      name: person.name,
      email: person.email,
      role,
      joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(first.body.items).toEqual([record(guest, 'guest'), record(admin, 'admin')]);
    const last = await byOwner(workspace).get(`${MEMBERS}?limit=2&cursor=${first.body.nextCursor}`);
    expect(last.body).toEqual({ items: [record(owner, 'owner')], nextCursor: null });
  });

  it('is for members', async () => {
    expect(await statuses(await newWorkspace(), MEMBERS)).toEqual({
      'admin in the app': 200,
      'admin by token': 200,
      'member in the app': 200,
      'member by token': 200,
      'guest in the app': 403,
      'guest by token': 403,
      key: 200,
      'bound key': 200,
      agent: 200,
      'without the scope': 403,
      nobody: 401,
    });
  });

  it('refuses a cursor of another workspace or list, and what is none', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    await workspace.person('member');
    const { nextCursor } = (await byOwner(workspace).get(`${MEMBERS}?limit=1`)).body;
    expect((await byOwner(other).get(`${MEMBERS}?cursor=${nextCursor}`)).status).toBe(400);
    expect((await byOwner(workspace).get(`${INVITATIONS}?cursor=${nextCursor}`)).status).toBe(400);
    for (const query of [
      'cursor=x',
      'cursor=',
      'limit=0',
      'limit=101',
      'limit=a',
      'role=owner',
      'limit=1&limit=2',
    ]) {
      const answer = await byOwner(workspace).get(`${MEMBERS}?${query}`);
      expect([answer.status, paths(answer)]).toEqual([400, [query.split('=')[0]]]);
    }
  });
});

const ROLES: readonly TestRole[] = ['owner', 'admin', 'member', 'guest'];

/** Who is in the default team. */
async function everyone(workspace: TestWorkspace): Promise<string[]> {
  const { body } = await inApp(workspace.owner, workspace).get(
    `/v1/workspace/teams/${workspace.defaultTeamId}`,
  );
  return body.memberIds as string[];
}

describe('PATCH /v1/workspace/members/{memberId}', () => {
  it('gives another role, which counts at once', async () => {
    const workspace = await newWorkspace();
    const { person, id } = await newMember(workspace, 'member');
    const before = await membership(workspace, person);
    expect((await inApp(person, workspace).get(INVITATIONS)).status).toBe(403);
    const made = await inApp(workspace.owner, workspace).patch(`${MEMBERS}/${id}`, { role: 'admin' });
    expect([made.status, made.body]).toEqual([200, { ...before, role: 'admin' }]);
    expect(await membership(workspace, person)).toEqual(made.body);
    for (const api of [inApp(person, workspace), byToken(person, workspace)]) {
      expect((await api.get(INVITATIONS)).status).toBe(200);
    }
    const data = { userId: person.id, email: person.email, role: 'admin', previousRole: 'member' };
    expect(await eventsOf(workspace, 'workspace.member.role_changed')).toEqual([data]);
    expect(await auditOf(workspace, id)).toEqual([
      {
        action: 'member.role_changed',
        actorType: 'user',
        actorUserId: workspace.owner.id,
        credentialType: null,
        targetType: 'member',
        details: data,
      },
    ]);
  });

  it('changes and tells nothing where the role is the same', async () => {
    const workspace = await newWorkspace();
    const { id } = await newMember(workspace, 'member');
    const answer = await byToken(workspace.owner, workspace).patch(`${MEMBERS}/${id}`, { role: 'member' });
    expect([answer.status, answer.body.role]).toEqual([200, 'member']);
    expect(await eventsOf(workspace, 'workspace.member.role_changed')).toEqual([]);
    expect(await auditOf(workspace, id)).toEqual([]);
  });

  it('lets an admin do everything but what is about owners', async () => {
    const workspace = await newWorkspace();
    const admin = inApp(await workspace.person('admin'), workspace);
    for (const before of ROLES) {
      for (const after of ROLES) {
        const { person, id } = await newMember(workspace, before);
        const answer = await admin.patch(`${MEMBERS}/${id}`, { role: after });
        const may = before !== 'owner' && after !== 'owner';
        expect([before, after, answer.status]).toEqual([before, after, may ? 200 : 403]);
        expect((await membership(workspace, person)).role).toBe(may ? after : before);
      }
    }
  });

  it('lets an owner do all of it, and by a token without every scope what is below an admin', async () => {
    const workspace = await newWorkspace();
    const token = await workspace.owner.tokenWith({ scopes: ['workspace.members:write'] });
    const byToken = client({ token, workspace: workspace.slug });
    const owner = inApp(workspace.owner, workspace);
    const byWholeToken = client({ token: workspace.owner.token, workspace: workspace.slug });
    const { person, id } = await newMember(workspace, 'guest');
    for (const one of [owner, byWholeToken])
      for (const role of ['owner', 'admin', 'guest', 'member', 'owner'] as const) {
        expect((await one.patch(`${MEMBERS}/${id}`, { role })).body.role).toBe(role);
      }
    for (const role of ['guest', 'member'] as const) {
      expect((await byToken.patch(`${MEMBERS}/${id}`, { role })).body.role).toBe(role);
    }
    expect((await owner.patch(`${MEMBERS}/${id}`, { role: 'owner' })).status).toBe(200);
    expect((await inApp(person, workspace).patch('/v1/workspace', { name: 'Ours' })).status).toBe(200);
  });

  it('takes guests out of the default team, and who is none any more into it', async () => {
    const workspace = await newWorkspace();
    const { person, id } = await newMember(workspace, 'member');
    const team = await newTeam(workspace, 'Design', [person]);
    const api = inApp(workspace.owner, workspace);
    expect(await everyone(workspace)).toContain(person.id);
    await api.patch(`${MEMBERS}/${id}`, { role: 'guest' });
    expect(await everyone(workspace)).not.toContain(person.id);
    expect((await api.get(`/v1/workspace/teams/${team.id}`)).body.memberIds).toEqual([person.id]);
    await api.patch(`${MEMBERS}/${id}`, { role: 'admin' });
    expect(await everyone(workspace)).toContain(person.id);
    await api.patch(`${MEMBERS}/${id}`, { role: 'member' });
    expect(await everyone(workspace)).toContain(person.id);
  });

  it('hides from a guest at once what is only for members', async () => {
    const workspace = await newWorkspace();
    const api = byToken(workspace.owner, workspace);
    const { slug } = await python(api, 'print(1)');
    const { person, id } = await newMember(workspace, 'member');
    expect((await inApp(person, workspace).get(`/v1/scripts/${slug}`)).status).toBe(200);
    await api.patch(`${MEMBERS}/${id}`, { role: 'guest' });
    for (const as of [inApp(person, workspace), byToken(person, workspace)]) {
      expect((await as.get(`/v1/scripts/${slug}`)).status).toBe(404);
      expect((await as.get('/v1/scripts')).body.items).toEqual([]);
      expect((await as.get(MEMBERS)).status).toBe(403);
    }
  });

  it('keeps the last owner', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const own = (await membership(workspace, owner)).id;
    const api = inApp(owner, workspace);
    for (const role of ['admin', 'member', 'guest']) {
      const answer = await api.patch(`${MEMBERS}/${own}`, { role });
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    }
    expect((await api.patch(`${MEMBERS}/${own}`, { role: 'owner' })).status).toBe(200);
    const second = await newMember(workspace, 'admin');
    expect((await api.patch(`${MEMBERS}/${second.id}`, { role: 'owner' })).status).toBe(200);
    expect((await api.patch(`${MEMBERS}/${own}`, { role: 'member' })).body.role).toBe('member');
    expect((await api.patch(`${MEMBERS}/${second.id}`, { role: 'admin' })).status).toBe(403);
    const last = inApp(second.person, workspace);
    expect((await last.patch(`${MEMBERS}/${second.id}`, { role: 'admin' })).status).toBe(409);
  });

  it('keeps the last owner who can sign in', async () => {
    const workspace = await newWorkspace();
    const own = (await membership(workspace, workspace.owner)).id;
    const other = await newMember(workspace, 'owner');
    const api = inApp(workspace.owner, workspace);
    const disable = (at: string) =>
      database().query(`UPDATE users SET disabled_at = ${at} WHERE id = $1`, [other.person.id]);
    await disable('now()');
    expect((await api.patch(`${MEMBERS}/${own}`, { role: 'admin' })).status).toBe(409);
    expect((await api.delete(`${MEMBERS}/${own}`)).status).toBe(409);
    await disable('NULL');
    expect((await api.patch(`${MEMBERS}/${own}`, { role: 'admin' })).status).toBe(200);
    expect((await inApp(other.person, workspace).delete(`${MEMBERS}/${other.id}`)).status).toBe(409);
  });

  it('removes a disabled owner while another can sign in', async () => {
    const workspace = await newWorkspace();
    const other = await newMember(workspace, 'owner');
    await database().query('UPDATE users SET disabled_at = now() WHERE id = $1', [other.person.id]);
    expect((await inApp(workspace.owner, workspace).delete(`${MEMBERS}/${other.id}`)).status).toBe(204);
  });

  it('lets one of two owners win who demote each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const workspace = await newWorkspace();
      const own = await membership(workspace, workspace.owner);
      const other = await newMember(workspace, 'owner');
      const answers = await Promise.all([
        inApp(workspace.owner, workspace).patch(`${MEMBERS}/${other.id}`, { role: 'admin' }),
        inApp(other.person, workspace).patch(`${MEMBERS}/${own.id}`, { role: 'admin' }),
      ]);
      // The loser may as well come so late that they are an owner no more.
      const [won, lost] = answers.map(({ status }) => status).sort((one, two) => one - two);
      expect(won).toBe(200);
      expect([403, 409]).toContain(lost);
      const { rows } = await database().query(
        `SELECT count(*)::integer AS owners FROM memberships WHERE workspace_id = $1 AND role = 'owner'`,
        [workspace.id],
      );
      expect(rows[0].owners).toBe(1);
    }
  });

  it('judges the role again that the caller has when it is their turn', async () => {
    const workspace = await newWorkspace();
    const admin = await newMember(workspace, 'admin');
    const { id } = await newMember(workspace, 'member');
    const connection = await database().connect();
    try {
      await connection.query('BEGIN');
      await connection.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspace.id]);
      const waiting = inApp(admin.person, workspace).patch(`${MEMBERS}/${id}`, { role: 'admin' });
      await untilSomebodyWaitsFor(connection);
      await connection.query(`UPDATE memberships SET role = 'member' WHERE id = $1`, [admin.id]);
      await connection.query('COMMIT');
      expect((await waiting).status).toBe(403);
    } finally {
      // What is left of a failed try ends with its connection.
      connection.release(true);
    }
    expect((await inApp(workspace.owner, workspace).get(MEMBERS)).body.items[0].role).toBe('member');
  });

  it.each([
    [{}, 'role'],
    [{ role: null }, 'role'],
    [{ role: 'boss' }, 'role'],
    [{ role: 'Owner' }, 'role'],
    [{ role: ['owner'] }, 'role'],
    [{ role: 'member', name: 'Eve' }, 'name'],
  ])('refuses %j', async (body, at) => {
    const workspace = await newWorkspace();
    const { id } = await newMember(workspace, 'member');
    const answer = await inApp(workspace.owner, workspace).patch(`${MEMBERS}/${id}`, body);
    expect([answer.status, paths(answer)]).toEqual([400, [at]]);
  });

  it("does not find another workspace's member, or none", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { person, id } = await newMember(other, 'member');
    const api = inApp(workspace.owner, workspace);
    for (const which of [id, person.id, 'mem_00000000000000000000000000', 'x']) {
      expect((await api.patch(`${MEMBERS}/${which}`, { role: 'admin' })).status).toBe(404);
      expect((await api.delete(`${MEMBERS}/${which}`)).status).toBe(404);
    }
    expect((await membership(other, person)).role).toBe('member');
  });

  it('is for owners and admins, and never for keys', async () => {
    const workspace = await newWorkspace();
    const { id } = await newMember(workspace, 'member');
    for (const [who, api] of Object.entries(await credentials(workspace))) {
      const expected = who === 'nobody' ? 401 : 403;
      // What is wrong with the body, or with the address, is told only to who may.
      for (const [path, body] of [
        [id, { role: 'guest' }],
        [id, { nonsense: 1 }],
        ['x', { role: 'guest' }],
      ] as const) {
        const answer = await api.patch(`${MEMBERS}/${path}`, body);
        expect([who, answer.status]).toEqual([who, expected]);
      }
      expect([who, (await api.delete(`${MEMBERS}/${id}`)).status]).toEqual([who, expected]);
    }
  });
});

describe('DELETE /v1/workspace/members/{memberId}', () => {
  it('takes a person out of the workspace, its teams and all that acts for them there', async () => {
    const [workspace, elsewhere] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { person, id } = await newMember(workspace, 'member');
    const team = await newTeam(workspace, 'Design', [person]);
    await database().query(
      `INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ($1, $2, $3, 'member')`,
      [`mem_0${randomBytes(13).toString('hex').slice(1)}`, elsewhere.id, person.id],
    );
    const agent = client({ token: await person.agent() });
    const both = await person.tokenWith({ workspaces: null });
    expect((await agent.get('/v1/workspace')).status).toBe(200);
    const answer = await inApp(workspace.owner, workspace).delete(`${MEMBERS}/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const api of [inApp(person, workspace), byToken(person, workspace)]) {
      expect((await api.get('/v1/workspace')).status).toBe(403);
    }
    expect((await agent.get('/v1/workspace')).status).toBe(401);
    // Signed in they still are, and elsewhere nothing has changed.
    expect((await inApp(person, workspace).get('/v1/auth/session')).status).toBe(200);
    expect((await client({ token: both, workspace: elsewhere.slug }).get('/v1/workspace')).status).toBe(200);
    expect(await membership(workspace, person)).toBeUndefined();
    expect(await everyone(workspace)).not.toContain(person.id);
    const { body } = await inApp(workspace.owner, workspace).get(`/v1/workspace/teams/${team.id}`);
    expect(body.memberIds).toEqual([]);
    const data = { userId: person.id, email: person.email, role: 'member' };
    expect(await eventsOf(workspace, 'workspace.member.removed')).toEqual([data]);
    expect(await auditOf(workspace, id)).toEqual([
      expect.objectContaining({
        action: 'member.removed',
        actorUserId: workspace.owner.id,
        targetType: 'member',
        details: data,
      }),
    ]);
    expect((await inApp(workspace.owner, workspace).delete(`${MEMBERS}/${id}`)).status).toBe(404);
  });

  it('does not bring an app back that was connected before', async () => {
    const workspace = await newWorkspace();
    const { person, id } = await newMember(workspace, 'admin');
    const token = await person.agent();
    await inApp(workspace.owner, workspace).delete(`${MEMBERS}/${id}`);
    await database().query(
      `INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ($1, $2, $3, 'admin')`,
      [id, workspace.id, person.id],
    );
    expect((await byToken(person, workspace).get('/v1/workspace')).status).toBe(200);
    expect((await client({ token }).get('/v1/workspace')).status).toBe(401);
  });

  it('lets everybody leave in person, but by no agent', async () => {
    const workspace = await newWorkspace();
    for (const role of ['admin', 'member', 'guest'] as const) {
      const app = await newMember(workspace, role);
      expect((await inApp(app.person, workspace).delete(`${MEMBERS}/${app.id}`)).status).toBe(204);
      expect((await inApp(app.person, workspace).get('/v1/workspace')).status).toBe(403);
      expect((await auditOf(workspace, app.id))[0].action).toBe('member.left');
      const { person, id } = await newMember(workspace, role);
      const narrow = await person.tokenWith({ scopes: ['workspace:read', 'workspace:write'] });
      const without = client({ token: narrow, workspace: workspace.slug });
      expect((await without.delete(`${MEMBERS}/${id}`)).status).toBe(403);
      const agent = client({ token: await person.agent() });
      expect((await agent.delete(`${MEMBERS}/${id}`)).status).toBe(403);
      expect((await byToken(person, workspace).delete(`${MEMBERS}/${id}`)).status).toBe(204);
    }
    const roles = (await eventsOf(workspace, 'workspace.member.removed')).map(({ role }) => role);
    expect(roles).toEqual(['admin', 'admin', 'member', 'member', 'guest', 'guest']);
  });

  it('lets owners remove owners, and admins all others', async () => {
    const workspace = await newWorkspace();
    const admin = inApp(await workspace.person('admin'), workspace);
    for (const role of ROLES) {
      const { id } = await newMember(workspace, role);
      expect([role, (await admin.delete(`${MEMBERS}/${id}`)).status]).toEqual([
        role,
        role === 'owner' ? 403 : 204,
      ]);
    }
    const { id } = await newMember(workspace, 'owner');
    expect((await inApp(workspace.owner, workspace).delete(`${MEMBERS}/${id}`)).status).toBe(204);
  });

  it('keeps the last owner', async () => {
    const workspace = await newWorkspace();
    const own = (await membership(workspace, workspace.owner)).id;
    const api = inApp(workspace.owner, workspace);
    expect((await api.delete(`${MEMBERS}/${own}`)).status).toBe(409);
    const second = await newMember(workspace, 'owner');
    expect((await api.delete(`${MEMBERS}/${own}`)).status).toBe(204);
    expect((await inApp(second.person, workspace).delete(`${MEMBERS}/${second.id}`)).status).toBe(409);
  });

  it('lets one of two owners go who leave at once', async () => {
    const workspace = await newWorkspace();
    const own = (await membership(workspace, workspace.owner)).id;
    const { person, id } = await newMember(workspace, 'owner');
    const answers = await Promise.all([
      inApp(workspace.owner, workspace).delete(`${MEMBERS}/${own}`),
      inApp(person, workspace).delete(`${MEMBERS}/${id}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('is done once for a key that is sent twice', async () => {
    const workspace = await newWorkspace();
    const { id } = await newMember(workspace, 'member');
    const api = inApp(workspace.owner, workspace);
    for (let time = 0; time < 2; time++) {
      expect((await api.delete(`${MEMBERS}/${id}`, { 'idempotency-key': 'go' })).status).toBe(204);
    }
    expect(await eventsOf(workspace, 'workspace.member.removed')).toHaveLength(1);
  });
});
