import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import {
  INVITATIONS,
  auditOf,
  byToken,
  credentials,
  eventsOf,
  inApp,
  newMember,
  newTeam,
} from '../support/people.js';

const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const newAddress = (): string => `${randomBytes(8).toString('hex')}@example.com`;
const byOwner = (workspace: TestWorkspace): Client => inApp(workspace.owner, workspace);

/** An invitation, made by the owner unless somebody else is named. */
async function invite(
  workspace: TestWorkspace,
  fields: Record<string, unknown> = {},
  api = byOwner(workspace),
): Promise<Json> {
  const made = await api.post(INVITATIONS, { email: newAddress(), ...fields });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const expire = (id: string) =>
  database().query(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);

describe('POST /v1/workspace/invitations', () => {
  it('invites, and without mail gives the link once to who invites', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Design');
    const email = newAddress();
    const before = Date.now();
    const made = await byOwner(workspace).post(INVITATIONS, { email, role: 'admin', teamIds: [team.id] });
    expect(made.status).toBe(201);
    const { link, ...record } = made.body;
    expect(record).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      email,
      role: 'admin',
      teamIds: [team.id],
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    });
    const days = (Date.parse(record.expiresAt) - before) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    expect(link).toMatch(new RegExp(`^${baseUrl()}/invitations/[0-9A-Za-z]{43}$`));
    expect((await byOwner(workspace).get(INVITATIONS)).body).toEqual({ items: [record], nextCursor: null });
    const token = link.split('/').at(-1);
    for (const table of ['invitations', 'events', 'audit_events']) {
      const { rows } = await database().query(
        `SELECT t::text AS text FROM ${table} t WHERE workspace_id = $1`,
        [workspace.id],
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(token);
    }
    expect(await eventsOf(workspace, 'workspace.invitation.created')).toEqual([
      { invitationId: record.id, email, role: 'admin' },
    ]);
    expect(await auditOf(workspace, record.id)).toEqual([
      {
        action: 'invitation.created',
        actorType: 'user',
        actorUserId: workspace.owner.id,
        credentialType: null,
        targetType: 'invitation',
        details: { email, role: 'admin', teamIds: [team.id] },
      },
    ]);
  });

  it('takes no role for a member', async () => {
    const workspace = await newWorkspace();
    expect((await invite(workspace, { role: null })).role).toBeNull();
    expect((await invite(workspace)).role).toBeNull();
    expect((await invite(workspace, { role: 'member' })).role).toBe('member');
    expect((await invite(workspace, { teamIds: [] })).teamIds).toEqual([]);
  });

  it('names each team once, and the default one, which is implied, not at all', async () => {
    const workspace = await newWorkspace();
    const [one, two] = [await newTeam(workspace, 'One'), await newTeam(workspace, 'Two')];
    const teamIds = [two.id, workspace.defaultTeamId, one.id, two.id];
    expect((await invite(workspace, { teamIds })).teamIds).toEqual([two.id, one.id]);
    expect((await invite(workspace, { teamIds: [one.id], role: 'guest' })).teamIds).toEqual([one.id]);
    const guest = await byOwner(workspace).post(INVITATIONS, { email: newAddress(), role: 'guest', teamIds });
    expect([guest.status, paths(guest)]).toEqual([400, ['teamIds.1']]);
  });

  it.each([
    [{}, ['email']],
    [{ email: null }, ['email']],
    [{ email: '' }, ['email']],
    [{ email: 7 }, ['email']],
    [{ email: 'ada' }, ['email']],
    [{ email: 'Ada <ada@example.com>' }, ['email']],
    [{ email: 'ada@example.com, eve@example.com' }, ['email']],
    [{ email: 'ada@example.com\r\nbcc: eve@example.com' }, ['email']],
    [{ email: 'ada\u0000@example.com' }, ['email']],
    [{ email: 'ada\u200b@example.com' }, ['email']],
    [{ email: '\u202eada@example.com' }, ['email']],
    [{ email: `${'x'.repeat(65)}@example.com` }, ['email']],
    [{ email: `ada@${'x'.repeat(300)}.com` }, ['email']],
    [{ email: 'a@example.com', role: 'boss' }, ['role']],
    [{ email: 'a@example.com', role: '' }, ['role']],
    [{ email: 'a@example.com', teamIds: null }, ['teamIds']],
    [{ email: 'a@example.com', teamIds: 'tea_x' }, ['teamIds']],
    [{ email: 'a@example.com', teamIds: [1] }, ['teamIds']],
    [
      { email: 'a@example.com', teamIds: ['x', 'tea_00000000000000000000000000'] },
      ['teamIds.0', 'teamIds.1'],
    ],
    [{ email: 'a@example.com', teamIds: Array(51).fill('x') }, ['teamIds']],
    [{ email: 'a@example.com', name: 'Ada' }, ['name']],
  ])('refuses %j at %j', async (body, at) => {
    const answer = await byOwner(await newWorkspace()).post(INVITATIONS, body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
  });

  it("refuses another workspace's team", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const own = await newTeam(workspace, 'Ours');
    const theirs = await newTeam(other, 'Theirs');
    const answer = await byOwner(workspace).post(INVITATIONS, {
      email: newAddress(),
      teamIds: [own.id, theirs.id],
    });
    expect([answer.status, paths(answer)]).toEqual([400, ['teamIds.1']]);
  });

  it('is a conflict for a member and for whom an invitation is open, in any spelling', async () => {
    const workspace = await newWorkspace();
    const { person } = await newMember(workspace, 'guest');
    const name = randomBytes(8).toString('hex');
    const { id } = await invite(workspace, { email: `Zoe\u0308.${name}@Example.com ` });
    for (const email of [person.email, person.email.toUpperCase(), `zo\u00eb.${name}@example.COM`]) {
      const answer = await byOwner(workspace).post(INVITATIONS, { email });
      expect([answer.status, answer.body.error.code, paths(answer)]).toEqual([409, 'conflict', ['email']]);
    }
    // Somewhere else they may be invited just the same.
    await invite(await newWorkspace(), { email: person.email });
    await expire(id);
    const again = await invite(workspace, { email: `zo\u00eb.${name}@example.com` });
    expect((await byOwner(workspace).get(INVITATIONS)).body.items.map((item: Json) => item.id)).toEqual([
      again.id,
    ]);
  });

  it('makes one of several that are asked for at once', async () => {
    const workspace = await newWorkspace();
    const email = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => byOwner(workspace).post(INVITATIONS, { email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('lets only an owner invite owners', async () => {
    const workspace = await newWorkspace();
    const admin = inApp(await workspace.person('admin'), workspace);
    const answer = await admin.post(INVITATIONS, { email: newAddress(), role: 'owner' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    for (const role of [null, 'admin', 'member', 'guest']) await invite(workspace, { role }, admin);
    expect((await invite(workspace, { role: 'owner' })).role).toBe('owner');
  });

  it('may be done by an admin in person, and is for nobody below, and never for keys and apps', async () => {
    const workspace = await newWorkspace();
    const admin = await workspace.person('admin');
    const byAdmin = client({
      token: await admin.tokenWith({ scopes: ['workspace.members:write'] }),
      workspace: workspace.slug,
    });
    const { id } = await invite(workspace, {}, byAdmin);
    const others = {
      ...(await credentials(workspace)),
      "an admin's agent": client({ token: await admin.agent() }),
    };
    for (const [who, api] of Object.entries(others)) {
      const expected = who === 'nobody' ? 401 : 403;
      for (const body of [{ email: newAddress() }, { nonsense: 1 }]) {
        expect([who, (await api.post(INVITATIONS, body)).status]).toEqual([who, expected]);
      }
      expect([who, (await api.delete(`${INVITATIONS}/${id}`)).status]).toEqual([who, expected]);
      expect([who, (await api.delete(`${INVITATIONS}/x`)).status]).toEqual([who, expected]);
    }
    expect((await byAdmin.delete(`${INVITATIONS}/${id}`)).status).toBe(204);
  });

  it('gives the same link to a key that is sent twice', async () => {
    const workspace = await newWorkspace();
    const body = { email: newAddress() };
    const [one, two] = [
      await byToken(workspace.owner, workspace).post(INVITATIONS, body, { 'idempotency-key': 'a' }),
      await byToken(workspace.owner, workspace).post(INVITATIONS, body, { 'idempotency-key': 'a' }),
    ];
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
    expect(await eventsOf(workspace, 'workspace.invitation.created')).toHaveLength(1);
  });
});

describe('GET /v1/workspace/invitations', () => {
  it('lists what can still be accepted, newest first, page by page', async () => {
    const workspace = await newWorkspace();
    const made = [await invite(workspace), await invite(workspace, { role: 'guest' })];
    const expired = await invite(workspace);
    await expire(expired.id);
    await client().post(`/v1/invitations/${tokenOf(await invite(workspace))}/decline`);
    await accept(await invite(workspace));
    await invite(await newWorkspace());
    const records = made.map(({ link: _, ...record }) => record).reverse();
    const answer = await byOwner(workspace).get(INVITATIONS);
    expect([answer.status, answer.body]).toEqual([200, { items: records, nextCursor: null }]);
    const page = await byOwner(workspace).get(`${INVITATIONS}?limit=1`);
    expect(page.body.items).toEqual([records[0]]);
    const rest = await byOwner(workspace).get(`${INVITATIONS}?limit=1&cursor=${page.body.nextCursor}`);
    expect(rest.body).toEqual({ items: [records[1]], nextCursor: null });
  });

  it('is for owners, admins and keys', async () => {
    const workspace = await newWorkspace();
    expect((await byToken(await workspace.person('admin'), workspace).get(INVITATIONS)).status).toBe(200);
    for (const [who, api] of Object.entries(await credentials(workspace))) {
      const allowed = ['a key', 'a bound key', 'a token without the scope'].includes(who);
      expect([who, (await api.get(INVITATIONS)).status]).toEqual([
        who,
        who === 'nobody' ? 401 : allowed ? 200 : 403,
      ]);
    }
  });
});

describe('DELETE /v1/workspace/invitations/{id}', () => {
  it('takes an open invitation back', async () => {
    const workspace = await newWorkspace();
    const invitation = await invite(workspace);
    const answer = await byOwner(workspace).delete(`${INVITATIONS}/${invitation.id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await byOwner(workspace).delete(`${INVITATIONS}/${invitation.id}`)).status).toBe(404);
    expect((await accept(invitation)).status).toBe(400);
    const actions = (await auditOf(workspace, invitation.id)).map(({ action }) => action);
    expect(actions).toEqual(['invitation.created', 'invitation.deleted']);
    await invite(workspace, { email: invitation.email });
  });

  it('does not find one that is not open, of another workspace, or none', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const [accepted, expired, theirs] = [
      await invite(workspace),
      await invite(workspace),
      await invite(other),
    ];
    await accept(accepted);
    await expire(expired.id);
    for (const id of [accepted.id, expired.id, theirs.id, 'x']) {
      expect((await byOwner(workspace).delete(`${INVITATIONS}/${id}`)).status).toBe(404);
    }
    expect((await accept(theirs)).status).toBe(200);
  });
});

const tokenOf = ({ link }: Json): string => link.split('/').at(-1);
const OWNER_OF_NOTHING = { name: 'Ada Lovelace', password: 'analytical engine' };

const accept = (invitation: Json, body: unknown = OWNER_OF_NOTHING, api = client()): Promise<Answer> =>
  api.post(`/v1/invitations/${tokenOf(invitation)}/accept`, body);

describe('GET /v1/invitations/{token}', () => {
  it('says who invites whom to what', async () => {
    const workspace = await newWorkspace();
    const name = 'مساحة \u200dعمل';
    await byOwner(workspace).patch('/v1/workspace', { name });
    const invitation = await invite(workspace, { role: null });
    const answer = await client().get(`/v1/invitations/${tokenOf(invitation)}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        workspace: { name },
        email: invitation.email,
        role: 'member',
        invitedBy: workspace.owner.name,
        expiresAt: invitation.expiresAt,
        hasAccount: false,
      },
    ]);
    const { person } = await newMember(await newWorkspace(), 'guest');
    const known = await invite(workspace, { email: person.email, role: 'guest' });
    const { body } = await client().get(`/v1/invitations/${tokenOf(known)}`);
    expect(body).toMatchObject({ email: person.email, role: 'guest', hasAccount: true });
  });

  it('opens nothing with a token that was used, declined, taken back, has expired, or is none', async () => {
    const workspace = await newWorkspace();
    const [used, declined, deleted, expired, gone] = [
      await invite(workspace),
      await invite(workspace),
      await invite(workspace),
      await invite(workspace),
      await invite(await deletedLater()),
    ];
    expect((await accept(used)).status).toBe(200);
    expect((await client().post(`/v1/invitations/${tokenOf(declined)}/decline`)).status).toBe(200);
    await byOwner(workspace).delete(`${INVITATIONS}/${deleted.id}`);
    await expire(expired.id);
    await deleteAll();
    const tokens = [used, declined, deleted, expired, gone].map(tokenOf);
    for (const token of [...tokens, 'x'.repeat(43), 'x', '%00', '%20'.repeat(43), 'é'.repeat(43)]) {
      for (const answer of [
        await client().get(`/v1/invitations/${token}`),
        await client().post(`/v1/invitations/${token}/accept`, OWNER_OF_NOTHING),
        await client().post(`/v1/invitations/${token}/decline`),
      ]) {
        expect([token, answer.status, answer.body.error.code]).toEqual([token, 400, 'invalid_request']);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    }
  });

  let doomed: TestWorkspace;
  const deletedLater = async (): Promise<TestWorkspace> => (doomed = await newWorkspace());
  const deleteAll = () => byOwner(doomed).delete('/v1/workspace');

  it('stops who tries too many tokens', async () => {
    const guesser = client();
    const statuses: number[] = [];
    const many = (attempt: () => Promise<Answer>, times: number) =>
      Promise.all(Array.from({ length: times }, attempt));
    while (statuses.length < 600 && !statuses.includes(429)) {
      const answers = await many(() => guesser.get(`/v1/invitations/${'x'.repeat(43)}`), 20);
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(60);
    // Each second, one more try is allowed.
    const declined = await many(() => guesser.post(`/v1/invitations/${'x'.repeat(43)}/decline`), 5);
    const refused = declined.find(({ status }) => status === 429)!;
    expect(refused.body.error.code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Whose link is good is never stopped for what others do from there.
    const invitation = await invite(await newWorkspace());
    expect((await guesser.get(`/v1/invitations/${tokenOf(invitation)}`)).status).toBe(200);
  });
});

describe('POST /v1/invitations/{token}/accept', () => {
  it('makes the account, signs the person in, and makes them a member', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Design');
    const vanished = await newTeam(workspace, 'Vanished');
    const invitation = await invite(workspace, { teamIds: [team.id, vanished.id] });
    await byOwner(workspace).delete(`/v1/workspace/teams/${vanished.id}`);
    const [shown] = (await byOwner(workspace).get(INVITATIONS)).body.items;
    expect(shown.teamIds).toEqual([team.id]);
    const name = 'عائشة \u200d O’Neil';
    const answer = await accept(invitation, { name, password: 'analytical engine' });
    expect(answer.status, answer.text).toBe(200);
    const me = {
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      name,
      email: invitation.email,
      workspaces: [{ id: workspace.id, name: 'Acme', slug: workspace.slug, role: 'member' }],
    };
    expect(answer.body).toEqual(me);
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const signedIn = client({ cookie, workspace: workspace.slug });
    expect((await signedIn.get('/v1/auth/session')).body).toEqual(me);
    const { items } = (await signedIn.get('/v1/workspace/teams')).body;
    const inside = items.filter((item: Json) => item.memberIds.includes(answer.body.id));
    expect(inside.map((item: Json) => item.id).sort()).toEqual([team.id, workspace.defaultTeamId].sort());
    const login = await client().post('/v1/auth/login', {
      email: invitation.email.toUpperCase(),
      password: 'analytical engine',
    });
    expect(login.status).toBe(200);
    const data = { userId: answer.body.id, email: invitation.email, role: 'member' };
    expect(await eventsOf(workspace, 'workspace.member.joined')).toEqual([data]);
    const member = (await byOwner(workspace).get('/v1/workspace/members')).body.items[0];
    expect(member).toMatchObject({ userId: answer.body.id, name, role: 'member' });
    expect(await auditOf(workspace, member.id)).toEqual([
      {
        action: 'member.joined',
        actorType: 'user',
        actorUserId: answer.body.id,
        credentialType: null,
        targetType: 'member',
        details: { ...data, invitationId: invitation.id },
      },
    ]);
  });

  it('leaves guests out of the default team', async () => {
    const workspace = await newWorkspace();
    const team = await newTeam(workspace, 'Clients');
    const { body } = await accept(await invite(workspace, { role: 'guest', teamIds: [team.id] }));
    expect(body.workspaces[0].role).toBe('guest');
    const { items } = (await byOwner(workspace).get('/v1/workspace/teams')).body;
    const inside = items.filter((item: Json) => item.memberIds.includes(body.id));
    expect(inside.map((item: Json) => item.id)).toEqual([team.id]);
  });

  it('gives the role that the invitation names', async () => {
    const workspace = await newWorkspace();
    for (const role of ['owner', 'admin', 'member', 'guest']) {
      expect((await accept(await invite(workspace, { role }))).body.workspaces[0].role).toBe(role);
    }
  });

  it.each([
    [{}, ['name', 'password']],
    [{ name: 'Ada' }, ['password']],
    [{ password: 'analytical engine' }, ['name']],
    [{ name: '', password: 'analytical engine' }, ['name']],
    [{ name: null, password: 'analytical engine' }, ['name']],
    [{ name: ' ', password: 'analytical engine' }, ['name']],
    [{ name: 'a\nb', password: 'analytical engine' }, ['name']],
    [{ name: 'x'.repeat(101), password: 'analytical engine' }, ['name']],
    [{ name: 'Ada', password: 'short' }, ['password']],
    [{ name: 'Ada', password: 'x'.repeat(201) }, ['password']],
    [{ name: 'Ada', password: 12345678 }, ['password']],
    [{ name: 'Ada', password: 'analytical engine', role: 'owner' }, ['role']],
  ])('refuses %j at %j and stays open', async (body, at) => {
    const invitation = await invite(await newWorkspace());
    const answer = await accept(invitation, body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
    expect((await client().get(`/v1/invitations/${tokenOf(invitation)}`)).status).toBe(200);
  });

  it('takes the session of the person whose address it is, and nothing else', async () => {
    const [workspace, elsewhere] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { person } = await newMember(elsewhere, 'member');
    const invitation = await invite(workspace, { email: person.email.toUpperCase(), role: 'admin' });
    const nobody = await accept(invitation, {});
    expect([nobody.status, nobody.body.error.code]).toEqual([401, 'unauthorized']);
    expect((await accept(invitation)).status).toBe(401);
    const others = [
      inApp(workspace.owner, workspace),
      client({ token: person.token }),
      client({ token: await person.agent() }),
      client({ token: await elsewhere.apiKey() }),
    ];
    for (const api of others) {
      const answer = await accept(invitation, {}, api);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
      expect(answer.body.error.message).toContain(person.email);
    }
    const own = client({ cookie: person.cookie });
    const foreign = await own.post(
      `/v1/invitations/${tokenOf(invitation)}/accept`,
      {},
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    const superfluous = await accept(invitation, OWNER_OF_NOTHING, own);
    expect([superfluous.status, paths(superfluous)]).toEqual([400, ['name', 'password']]);
    const answer = await own.post(`/v1/invitations/${tokenOf(invitation)}/accept`);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    expect(answer.body.workspaces.map(({ slug }: Json) => slug)).toEqual(
      [workspace.slug, elsewhere.slug].sort(),
    );
    expect((await inApp(person, workspace).get(INVITATIONS)).status).toBe(200);
    expect((await accept(invitation, {}, own)).status).toBe(400);
  });

  it('lets no page of another site sign somebody in', async () => {
    const invitation = await invite(await newWorkspace());
    const path = `/v1/invitations/${tokenOf(invitation)}/accept`;
    const answer = await client().post(path, OWNER_OF_NOTHING, { origin: 'https://evil.example' });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('ends the session that it takes the place of', async () => {
    const workspace = await newWorkspace();
    const { cookie } = await workspace.person('member');
    expect((await accept(await invite(workspace), OWNER_OF_NOTHING, client({ cookie }))).status).toBe(200);
    expect((await client({ cookie }).get('/v1/auth/session')).status).toBe(401);
  });

  it('lets one of two win who accept at once', async () => {
    for (let round = 0; round < 3; round++) {
      const workspace = await newWorkspace();
      const invitation = await invite(workspace);
      const answers = await Promise.all(Array.from({ length: 4 }, () => accept(invitation)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      expect(await eventsOf(workspace, 'workspace.member.joined')).toHaveLength(1);
      const { person } = await newMember(await newWorkspace(), 'member');
      const known = await invite(workspace, { email: person.email });
      const own = () => client({ cookie: person.cookie });
      const again = await Promise.all(Array.from({ length: 4 }, () => accept(known, {}, own())));
      expect(again.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    }
  });

  it('responds to a retry with the same Idempotency-Key as the first time, without a session', async () => {
    const path = (invitation: Json, what: string) => `/v1/invitations/${tokenOf(invitation)}/${what}`;
    const key = { 'idempotency-key': 'once' };
    const workspace = await newWorkspace();
    const anew = await invite(workspace);
    const first = await client().post(path(anew, 'accept'), OWNER_OF_NOTHING, key);
    const retry = await client().post(path(anew, 'accept'), OWNER_OF_NOTHING, key);
    expect([first.status, retry.status, retry.text]).toEqual([200, 200, first.text]);
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect(retry.headers.get('set-cookie')).toBeNull();
    const other = await client().post(path(anew, 'accept'), { ...OWNER_OF_NOTHING, name: 'Eve' }, key);
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_mismatch']);
    expect((await client().post(path(anew, 'accept'), OWNER_OF_NOTHING)).status).toBe(400);

    const { person } = await newMember(await newWorkspace(), 'member');
    const known = await invite(workspace, { email: person.email });
    const own = client({ cookie: person.cookie });
    const joined = await own.post(path(known, 'accept'), undefined, key);
    expect([joined.status, (await own.post(path(known, 'accept'), undefined, key)).text]).toEqual([
      200,
      joined.text,
    ]);
    // The response is the person's own: somebody else with the link is told what anybody is.
    expect((await client().post(path(known, 'accept'), undefined, key)).status).toBe(400);

    const unwanted = await invite(workspace);
    const declined = await client().post(path(unwanted, 'decline'), undefined, key);
    expect([declined.status, (await client().post(path(unwanted, 'decline'), undefined, key)).text]).toEqual([
      200,
      declined.text,
    ]);
  });

  it('makes one account of two invitations that are accepted at once', async () => {
    const email = newAddress();
    const workspaces = await Promise.all([newWorkspace(), newWorkspace()]);
    const invitations = await Promise.all(workspaces.map((workspace) => invite(workspace, { email })));
    const answers = await Promise.all(invitations.map((invitation) => accept(invitation)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = invitations[answers.findIndex(({ status }) => status === 401)];
    const cookie = answers
      .find(({ status }) => status === 200)!
      .headers.get('set-cookie')!
      .split(';')[0]!;
    const answer = await accept(late, {}, client({ cookie }));
    expect([answer.status, answer.body.workspaces.length]).toEqual([200, 2]);
  });
});

describe('POST /v1/invitations/{token}/decline', () => {
  it('closes the invitation, by the link alone', async () => {
    const workspace = await newWorkspace();
    const { person } = await newMember(await newWorkspace(), 'member');
    for (const email of [newAddress(), person.email]) {
      const invitation = await invite(workspace, { email });
      const path = `/v1/invitations/${tokenOf(invitation)}/decline`;
      const answer = await client().post(path);
      expect([answer.status, answer.body.email]).toEqual([200, email]);
      expect((await client().post(path)).status).toBe(400);
      const entries = await auditOf(workspace, invitation.id);
      expect(entries.at(-1)).toMatchObject({ action: 'invitation.declined', actorUserId: null });
      await invite(workspace, { email });
    }
    expect(await eventsOf(workspace, 'workspace.member.joined')).toEqual([]);
  });

  it('takes no body', async () => {
    const invitation = await invite(await newWorkspace());
    const answer = await client().post(`/v1/invitations/${tokenOf(invitation)}/decline`, { reason: 'No.' });
    expect([answer.status, paths(answer)]).toEqual([400, ['reason']]);
  });

  it('wins over accepting at the same time, or loses to it', async () => {
    const workspace = await newWorkspace();
    const invitation = await invite(workspace);
    const [accepted, declined] = await Promise.all([
      accept(invitation),
      client().post(`/v1/invitations/${tokenOf(invitation)}/decline`),
    ]);
    expect([accepted.status, declined.status].sort()).toEqual([200, 400]);
    expect(await eventsOf(workspace, 'workspace.member.joined')).toHaveLength(
      accepted.status === 200 ? 1 : 0,
    );
  });
});
