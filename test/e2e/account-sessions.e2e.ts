import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  type Json,
  type TestPerson,
  createClient,
  firstRun,
} from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { auditOf } from '../support/people.js';

const SESSIONS = '/v1/account/sessions';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')!.split(';')[0]!;
const inApp = (cookie: string, workspace?: string): Client =>
  client({ cookie, ...(workspace !== undefined && { workspace }) });

async function signIn(
  { email, password }: TestPerson,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await client().post('/v1/auth/login', { email, password }, headers);
  expect(answer.status, answer.text).toBe(200);
  return cookieOf(answer);
}

const listed = async (api: Client): Promise<Json[]> => (await api.get(SESSIONS)).body.items;

/** As if the password had been given more than an hour ago. */
async function letGrowOld({ id }: TestPerson): Promise<void> {
  await database().query(
    `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`,
    [id],
  );
}

describe("the list of one's sessions", () => {
  it('has each with its device, its address and its last use, newest first', async () => {
    const { owner } = await newWorkspace();
    const cookie = await signIn(owner, { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' });
    const { status, body } = await inApp(cookie).get(SESSIONS);
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.items).toHaveLength(2);
    expect(body.items[0]).toEqual({
      id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
      device: 'Firefox on Windows',
      address: '203.0.113.7',
      current: true,
      createdAt: expect.stringMatching(TIMESTAMP),
      lastUsedAt: expect.stringMatching(TIMESTAMP),
      expiresAt: expect.stringMatching(TIMESTAMP),
    });
    expect(body.items[1]).toMatchObject({ device: 'node', current: false });
    const page = (await inApp(cookie).get(`${SESSIONS}?limit=1`)).body;
    const rest = (await inApp(cookie).get(`${SESSIONS}?limit=1&cursor=${page.nextCursor}`)).body;
    expect([page.items[0].id, rest.items[0].id]).toEqual(body.items.map(({ id }: Json) => id));
  });

  it('tells from where a session was used last, as that of somebody who took its cookie', async () => {
    const { owner } = await newWorkspace();
    const elsewhere = { 'x-forwarded-for': '2001:db8::7' };
    await createClient({ baseUrl: baseUrl(), cookie: owner.cookie, headers: elsewhere }).get(
      '/v1/auth/session',
    );
    const address = async (): Promise<string> => {
      const { rows } = await database().query('SELECT address FROM sessions WHERE user_id = $1', [owner.id]);
      return rows[0].address;
    };
    await expect.poll(address).toBe('2001:db8::7');
  });

  it('has none that has expired, and none of anybody else', async () => {
    const { owner, person } = await newWorkspace();
    await person('member');
    await signIn(owner);
    await database().query(
      `UPDATE sessions SET expires_at = now() WHERE user_id = $1 AND id = (SELECT max(id) FROM sessions WHERE user_id = $1)`,
      [owner.id],
    );
    expect(await listed(inApp(owner.cookie))).toMatchObject([{ current: true }]);
  });
});

describe('ending a session', () => {
  it('ends that one at once, and is written down in each workspace', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const other = await signIn(owner);
    const here = inApp(owner.cookie);
    const { id } = (await listed(here)).find(({ current }) => !current);
    expect((await here.delete(`${SESSIONS}/${id}`)).status).toBe(204);
    expect((await inApp(other).get('/v1/auth/session')).status).toBe(401);
    expect((await here.get('/v1/auth/session')).status).toBe(200);
    expect((await here.delete(`${SESSIONS}/${id}`)).status).toBe(404);
    expect(await auditOf(workspace, id)).toMatchObject([
      { action: 'user.session_ended', actorUserId: owner.id, targetType: 'session' },
    ]);
  });

  it("ends one's own as well, and nobody else's", async () => {
    const { owner, person } = await newWorkspace();
    const member = await person('member');
    const [theirs] = await listed(inApp(member.cookie));
    expect((await inApp(owner.cookie).delete(`${SESSIONS}/${theirs.id}`)).status).toBe(404);
    expect((await inApp(owner.cookie).delete(`${SESSIONS}/nonsense`)).status).toBe(404);
    expect((await inApp(member.cookie).delete(`${SESSIONS}/${theirs.id}`)).status).toBe(204);
    expect((await inApp(member.cookie).get('/v1/auth/session')).status).toBe(401);
  });

  it('ends all but this one', async () => {
    const { owner } = await newWorkspace();
    const others = [await signIn(owner), await signIn(owner)];
    expect((await inApp(owner.cookie).delete(SESSIONS)).status).toBe(204);
    for (const cookie of others) expect((await inApp(cookie).get('/v1/auth/session')).status).toBe(401);
    expect(await listed(inApp(owner.cookie))).toMatchObject([{ current: true }]);
    expect((await inApp(owner.cookie).delete(SESSIONS)).status).toBe(204);
  });

  it('is for people in the app, and not for a page of another site', async () => {
    const { owner } = await newWorkspace();
    const [{ id }] = (await listed(inApp(owner.cookie))) as [Json];
    for (const path of [SESSIONS, `${SESSIONS}/${id}`]) {
      expect((await client({ token: owner.token }).delete(path)).status).toBe(403);
      const foreign = { origin: 'https://evil.example' };
      expect((await inApp(owner.cookie).delete(path, foreign)).status).toBe(403);
    }
    expect((await client({ token: owner.token }).get(SESSIONS)).status).toBe(403);
  });
});

describe('what outlives a session', () => {
  const makers = (api: Client, endpoint: Json): [string, () => Promise<Answer>][] => [
    ['a token', () => api.post('/v1/account/tokens', { name: 'New', scopes: ['runs:read'] })],
    ['an API key', () => api.post('/v1/workspace/api-keys', { name: 'New' })],
    [
      'an endpoint',
      () => api.post('/v1/workspace/webhook-endpoints', { url: 'https://hooks.example.invalid/new' }),
    ],
    ['a secret', () => api.post(`/v1/workspace/webhook-endpoints/${endpoint.id}/rotate-secret`)],
  ];

  it('takes a sign-in of the last hour, or the password again', async () => {
    const { owner, slug } = await newWorkspace();
    const api = inApp(owner.cookie, slug);
    const made = await api.post('/v1/workspace/webhook-endpoints', {
      url: 'https://hooks.example.invalid/first',
    });
    expect(made.status, made.text).toBe(201);
    await letGrowOld(owner);
    for (const [what, make] of makers(api, made.body.endpoint)) {
      const answer = await make();
      expect([answer.status, answer.body.error?.code], what).toEqual([403, 'confirmation_required']);
      expect(answer.body.error.docs).toMatch(/\/docs\/errors#confirmation_required$/);
    }
    expect((await api.get('/v1/account/tokens')).status).toBe(200);
    expect((await api.post('/v1/auth/confirm', { password: owner.password })).status).toBe(204);
    for (const [what, make] of makers(api, made.body.endpoint)) {
      expect((await make()).status, what).toBeLessThan(300);
    }
  });

  it('takes no more than a token that may, by token', async () => {
    const { owner, slug } = await newWorkspace();
    await letGrowOld(owner);
    const made = await client({ token: owner.token, workspace: slug }).post(
      '/v1/workspace/webhook-endpoints',
      {
        url: 'https://hooks.example.invalid/',
      },
    );
    expect(made.status, made.text).toBe(201);
  });

  it('is confirmed for the one session only, and by changing the password', async () => {
    const { owner } = await newWorkspace();
    const other = await signIn(owner);
    await letGrowOld(owner);
    const make = (cookie: string) =>
      inApp(cookie).post('/v1/account/tokens', { name: 'New', scopes: ['runs:read'] });
    expect((await inApp(other).post('/v1/auth/confirm', { password: owner.password })).status).toBe(204);
    expect([(await make(other)).status, (await make(owner.cookie)).status]).toEqual([201, 403]);
    const change = { current: owner.password, next: 'another password of mine' };
    expect((await inApp(owner.cookie).post('/v1/auth/password', change)).status).toBe(204);
    expect((await make(owner.cookie)).status).toBe(201);
  });
});

describe('POST /v1/auth/confirm', () => {
  it('refuses a wrong password, and all after five tries a minute', async () => {
    const { owner } = await newWorkspace();
    await letGrowOld(owner);
    const api = inApp(owner.cookie);
    // At once: one is given back every twelve seconds.
    const tries = Array.from({ length: 5 }, () => api.post('/v1/auth/confirm', { password: 'wrong' }));
    for (const wrong of await Promise.all(tries))
      expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'password']);
    expect((await api.post('/v1/auth/confirm', { password: owner.password })).status).toBe(429);
    const made = await api.post('/v1/account/tokens', { name: 'New', scopes: ['runs:read'] });
    expect(made.body.error.code).toBe('confirmation_required');
    // It has a limit of its own: the person can sign in elsewhere meanwhile.
    await signIn(owner);
  });

  it('is for people in the app', async () => {
    const { owner } = await newWorkspace();
    const body = { password: owner.password };
    expect((await client().post('/v1/auth/confirm', body)).status).toBe(401);
    expect((await client({ token: owner.token }).post('/v1/auth/confirm', body)).status).toBe(403);
    expect((await inApp(owner.cookie).post('/v1/auth/confirm', {})).status).toBe(400);
  });
});

describe('behind TLS', () => {
  let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;
  beforeAll(async () => {
    gatehouse = await startGatehouse({ env: { GATEHOUSE_BASE_URL: 'https://gatehouse.example' } });
  });
  afterAll(() => gatehouse?.stop());

  it('the cookie is bound to the host, and no other is taken', async () => {
    const { email, password } = await firstRun(gatehouse);
    const anybody = createClient({ baseUrl: gatehouse.baseUrl });
    const answer = await anybody.post('/v1/auth/login', { email, password });
    expect(answer.status, answer.text).toBe(200);
    const [cookie, ...attributes] = answer.headers.get('set-cookie')!.split('; ');
    expect(cookie).toMatch(/^__Host-gatehouse_session=\w{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
    const by = (header: string) => createClient({ baseUrl: gatehouse.baseUrl, cookie: header });
    expect((await by(cookie!).get('/v1/auth/session')).status).toBe(200);
    const plain = cookie!.replace('__Host-', '');
    expect((await by(plain).get('/v1/auth/session')).status).toBe(401);
    const document = await anybody.get('/v1/openapi.json');
    expect(document.body.components.securitySchemes.session.name).toBe('__Host-gatehouse_session');
    const out = await by(cookie!).post('/v1/auth/logout');
    const [pair, ...outAttributes] = out.headers.get('set-cookie')!.split('; ');
    expect(pair).toBe('__Host-gatehouse_session=');
    expect(outAttributes).toEqual(expect.arrayContaining(['Path=/', 'Max-Age=0', 'Secure']));
  });
});
