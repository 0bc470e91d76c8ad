import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Answer, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';

const MEMBERS = '/v1/workspace/members';
const INVITATIONS = '/v1/workspace/invitations';
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });

/** Each credential that could ask for `path`, and what it is answered. */
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

describe('GET /v1/workspace/invitations', () => {
  /** As inviting will leave it: how one gets there is another route's story. */
  async function invite(
    workspace: TestWorkspace,
    fields: { email: string; role?: string; state?: string; days?: number },
  ) {
    const id = `inv_0${randomBytes(13).toString('hex').slice(0, 25)}`;
    await database().query(
      `INSERT INTO invitations (id, workspace_id, email, role, team_ids, token_hash, expires_at, accepted_at, declined_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + $7::integer * interval '1 day',
         CASE WHEN $8 = 'accepted' THEN now() END, CASE WHEN $8 = 'declined' THEN now() END)`,
      [
        id,
        workspace.id,
        fields.email,
        fields.role ?? null,
        [workspace.defaultTeamId],
        randomBytes(32),
        fields.days ?? 7,
        fields.state ?? 'open',
      ],
    );
    return id;
  }

  it('lists what can still be accepted', async () => {
    const workspace = await newWorkspace();
    const ids = [
      await invite(workspace, { email: 'a@example.com' }),
      await invite(workspace, { email: 'b@example.com', role: 'guest' }),
    ];
    await invite(workspace, { email: 'c@example.com', state: 'accepted' });
    await invite(workspace, { email: 'd@example.com', state: 'declined' });
    await invite(workspace, { email: 'e@example.com', days: -1 });
    await invite(await newWorkspace(), { email: 'f@example.com' });
    const answer = await byOwner(workspace).get(INVITATIONS);
    expect(answer.status).toBe(200);
    const record = (id: string, email: string, role: string | null) => ({
      id,
      email,
      role,
      teamIds: [workspace.defaultTeamId],
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    });
    const expected = [record(ids[0]!, 'a@example.com', null), record(ids[1]!, 'b@example.com', 'guest')];
    expected.sort((one, other) => (one.id < other.id ? 1 : -1));
    expect(answer.body).toEqual({ items: expected, nextCursor: null });
    const page = await byOwner(workspace).get(`${INVITATIONS}?limit=1`);
    expect(page.body.items).toEqual([expected[0]]);
    const rest = await byOwner(workspace).get(`${INVITATIONS}?limit=1&cursor=${page.body.nextCursor}`);
    expect(rest.body).toEqual({ items: [expected[1]], nextCursor: null });
  });

  it('is for owners, admins and keys', async () => {
    expect(await statuses(await newWorkspace(), INVITATIONS)).toEqual({
      'admin in the app': 200,
      'admin by token': 200,
      'member in the app': 403,
      'member by token': 403,
      'guest in the app': 403,
      'guest by token': 403,
      key: 200,
      'bound key': 200,
      agent: 200,
      'without the scope': 403,
      nobody: 401,
    });
  });
});
