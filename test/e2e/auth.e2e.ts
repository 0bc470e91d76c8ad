import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { SessionsService, UsersService } from '../../src/auth/index.js';
import { Settings } from '../../src/core/config/settings.js';
import { hashPassword } from '../../src/core/crypto/passwords.js';
import { hashToken, randomText } from '../../src/core/crypto/tokens.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { Loops } from '../../src/core/work/loops.js';
import { createApp } from '../../src/application.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { connect } from '../support/oauth.js';

const anybody = client();
const login = (email: unknown, password: unknown, headers: Record<string, string> = {}) =>
  anybody.post('/v1/auth/login', { email, password }, headers);
const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')!.split(';')[0]!;
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);

describe('POST /v1/auth/login', () => {
  it('returns the person and sets a cookie that only the browser sees', async () => {
    const { owner, id, slug } = await newWorkspace();
    const answer = await login(owner.email.toUpperCase(), owner.password);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: owner.id,
      name: owner.name,
      email: owner.email,
      workspaces: [{ id, name: 'Acme', slug, role: 'owner' }],
    });
    const attributes = answer.headers.get('set-cookie')!.split('; ').slice(1).sort();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']);
    const session = await client({ cookie: cookieOf(answer) }).get('/v1/auth/session');
    expect(session.status).toBe(200);
    expect(session.body).toEqual(answer.body);
  });

  it('stores the session as a hash, for 30 days', async () => {
    const { owner } = await newWorkspace();
    const token = owner.cookie.split('=')[1]!;
    const { rows } = await database().query(
      `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM sessions
       WHERE user_id = $1 AND hash = sha256($2::bytea)`,
      [owner.id, Buffer.from(token)],
    );
    expect(rows).toEqual([{ seconds: 30 * 24 * 3600 }]);
  });

  it('gives the same response to a wrong password, an unknown address and an account without a password', async () => {
    const { owner, person } = await newWorkspace();
    const other = await person('member');
    await database().query('UPDATE users SET password_hash = NULL WHERE id = $1', [other.id]);
    const answers = [
      await login(owner.email, 'wrong'),
      await login('nobody@example.com', owner.password),
      await login(other.email, owner.password),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('set-cookie')).toBeNull();
      const { requestId, ...error } = answer.body.error;
      expect(requestId).toBe(answer.headers.get('x-request-id'));
      const { requestId: _, ...first } = answers[0]!.body.error;
      expect(error).toEqual(first);
    }
    expect(answers[0]!.body.error.code).toBe('unauthorized');
  });

  it('takes as long for an unknown address as for a wrong password', async () => {
    const { owner } = await newWorkspace();
    const hash = await hashPassword(owner.password);
    await database().query('UPDATE users SET password_hash = $1 WHERE id = $2', [hash, owner.id]);
    const least = { known: Infinity, unknown: Infinity };
    const tryOnce = async (kind: keyof typeof least, email: string): Promise<void> => {
      const begin = performance.now();
      const answer = await client().post('/v1/auth/login', { email, password: 'wrong' });
      expect(answer.status).toBe(401);
      least[kind] = Math.min(least[kind], performance.now() - begin);
    };
    // The least of many comes close to what each takes by itself, sooner on a quiet machine than on a busy one.
    for (let round = 0; round < 30; round++) {
      await tryOnce('known', owner.email);
      await tryOnce('unknown', `nobody-${round}-${owner.email}`);
      if (round >= 7 && Math.abs(Math.log2(least.unknown / least.known)) < 1) return;
    }
    expect.unreachable(`The least times differ: ${JSON.stringify(least)}`);
  });

  it.each([
    [{}, ['email', 'password']],
    [{ email: 'a@b.c' }, ['password']],
    [{ email: null, password: 'x' }, ['email']],
    [{ email: 5, password: ['x'] }, ['email', 'password']],
    [{ email: '', password: '' }, ['email', 'password']],
    [{ email: 'a@b.c', password: 'x', remember: true }, ['remember']],
  ])('refuses the body %j at %j', async (body, at) => {
    const answer = await anybody.post('/v1/auth/login', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
    expect(paths(answer).sort()).toEqual(at);
  });

  it('refuses a page of another site, and takes its own', async () => {
    const { owner } = await newWorkspace();
    const from = async (headers: Record<string, string>) =>
      (await login(owner.email, owner.password, headers)).status;
    expect(await from({ origin: 'https://evil.example' })).toBe(403);
    expect(await from({ origin: 'null' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await from({ origin: baseUrl(), 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  it('allows 5 tries a minute for an account from one address, also the right one after', async () => {
    const { owner } = await newWorkspace();
    // At once: one is given back every twelve seconds.
    const wrong = Array.from({ length: 5 }, () => login(owner.email, 'wrong'));
    for (const { status } of await Promise.all(wrong)) expect(status).toBe(401);
    const sixth = await login(owner.email.toUpperCase(), owner.password);
    expect(sixth.status).toBe(429);
    expect(sixth.body.error.code).toBe('rate_limited');
    const wait = Number(sixth.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(12);
    expect((await client({ cookie: owner.cookie }).get('/v1/auth/session')).status).toBe(200);
  });

  it('ends the session that the browser had before', async () => {
    const { owner } = await newWorkspace();
    const answer = await login(owner.email, owner.password, { cookie: owner.cookie });
    expect(answer.status).toBe(200);
    expect((await client({ cookie: owner.cookie }).get('/v1/auth/session')).status).toBe(401);
    expect((await client({ cookie: cookieOf(answer) }).get('/v1/auth/session')).status).toBe(200);
  });
});

describe('GET /v1/auth/session', () => {
  it('is for people in the app alone', async () => {
    const workspace = await newWorkspace();
    const { token } = workspace.owner;
    expect((await anybody.get('/v1/auth/session')).status).toBe(401);
    expect((await client({ cookie: 'gatehouse_session=nonsense' }).get('/v1/auth/session')).status).toBe(401);
    for (const other of [token, await workspace.apiKey(), await workspace.owner.agent()]) {
      const answer = await client({ token: other }).get('/v1/auth/session');
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    }
    // A bearer token decides, also where a cookie comes along.
    expect((await client({ token, cookie: workspace.owner.cookie }).get('/v1/auth/session')).status).toBe(
      403,
    );
  });

  it('refuses an expired one', async () => {
    const { owner } = await newWorkspace();
    await database().query(
      `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [owner.id],
    );
    expect((await client({ cookie: owner.cookie }).get('/v1/auth/session')).status).toBe(401);
  });

  it('takes no query', async () => {
    const { owner } = await newWorkspace();
    const answer = await client({ cookie: owner.cookie }).get('/v1/auth/session?full=true');
    expect([answer.status, paths(answer)]).toEqual([400, ['full']]);
  });
});

describe('POST /v1/auth/logout', () => {
  it('ends this session alone and takes the cookie away', async () => {
    const { owner } = await newWorkspace();
    const second = cookieOf(await login(owner.email, owner.password));
    const answer = await client({ cookie: second }).post('/v1/auth/logout');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('set-cookie')).toMatch(/^gatehouse_session=; .*Max-Age=0/);
    expect((await client({ cookie: second }).get('/v1/auth/session')).status).toBe(401);
    expect((await client({ cookie: second }).post('/v1/auth/logout')).status).toBe(401);
    expect((await client({ cookie: owner.cookie }).get('/v1/auth/session')).status).toBe(200);
  });

  it('cannot be done by a page of another site or with a token', async () => {
    const { owner } = await newWorkspace();
    const foreign = { origin: 'https://evil.example' };
    expect((await client({ cookie: owner.cookie }).post('/v1/auth/logout', undefined, foreign)).status).toBe(
      403,
    );
    expect((await client({ token: owner.token }).post('/v1/auth/logout')).status).toBe(403);
    expect((await client({ cookie: owner.cookie }).get('/v1/auth/session')).status).toBe(200);
  });
});

describe('POST /v1/auth/password', () => {
  it('changes it, keeps this session and the tokens, and ends the other sessions', async () => {
    const { owner, slug } = await newWorkspace();
    const other = cookieOf(await login(owner.email, owner.password));
    const here = client({ cookie: owner.cookie });
    const answer = await here.post('/v1/auth/password', {
      current: owner.password,
      next: 'a Café of one’s own',
    });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await here.get('/v1/auth/session')).status).toBe(200);
    expect((await client({ cookie: other }).get('/v1/auth/session')).status).toBe(401);
    expect((await client({ token: owner.token, workspace: slug }).get('/v1/workspace')).status).toBe(200);
    expect((await login(owner.email, owner.password)).status).toBe(401);
    // The same word with its accent composed differently, as another keyboard sends it.
    expect((await login(owner.email, 'a Cafe\u0301 of one’s own')).status).toBe(200);
  });

  it('makes links that were mailed before worthless, and tells each workspace of the person', async () => {
    const { owner, slug } = await newWorkspace();
    const token = randomText(32);
    await database().query(
      `INSERT INTO password_resets (hash, user_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
      [hashToken(token), owner.id],
    );
    const here = client({ cookie: owner.cookie, workspace: slug });
    const change = { current: owner.password, next: 'a password of one’s own' };
    expect((await here.post('/v1/auth/password', change)).status).toBe(204);
    const reset = await anybody.post('/v1/auth/reset', { token, password: 'a password of another' });
    expect([reset.status, reset.body.error.details[0].path]).toEqual([400, 'token']);
    const { items } = (await here.get('/v1/workspace/audit-events?action=user.password_changed')).body;
    expect(items).toMatchObject([
      { actor: { userId: owner.id }, credential: null, target: { type: 'user', id: owner.id } },
    ]);
  });

  it('refuses a wrong current password and a bad new one, and changes nothing', async () => {
    const { owner } = await newWorkspace();
    const here = client({ cookie: owner.cookie });
    const wrong = await here.post('/v1/auth/password', { current: 'wrong', next: 'long enough' });
    expect([wrong.status, paths(wrong)]).toEqual([400, ['current']]);
    const bad = { current: owner.password, next: 'short 7' };
    const short = await here.post('/v1/auth/password', bad);
    expect([short.status, paths(short)]).toEqual([400, ['next']]);
    const long = await here.post('/v1/auth/password', { ...bad, next: 'x'.repeat(201) });
    expect([long.status, paths(long)]).toEqual([400, ['next']]);
    expect((await login(owner.email, owner.password)).status).toBe(200);
  });

  it('refuses missing, null and unknown fields', async () => {
    const { owner } = await newWorkspace();
    const here = client({ cookie: owner.cookie });
    expect(paths(await here.post('/v1/auth/password', {})).sort()).toEqual(['current', 'next']);
    const answer = await here.post('/v1/auth/password', { current: null, next: 12345678, force: true });
    expect([answer.status, paths(answer).sort()]).toEqual([400, ['current', 'force', 'next']]);
  });

  it('counts tries, also those of retried requests', async () => {
    const { owner } = await newWorkspace();
    const here = client({ cookie: owner.cookie });
    const attempt = (key: number) =>
      here.post(
        '/v1/auth/password',
        { current: 'wrong', next: 'long enough' },
        { 'idempotency-key': `try ${key}` },
      );
    const tries = await Promise.all([1, 2, 3, 4, 5].map(attempt));
    for (const { status } of tries) expect(status).toBe(400);
    const sixth = await attempt(6);
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('is for people in the app alone', async () => {
    const { owner } = await newWorkspace();
    const body = { current: owner.password, next: 'long enough' };
    expect((await anybody.post('/v1/auth/password', body)).status).toBe(401);
    expect((await client({ token: owner.token }).post('/v1/auth/password', body)).status).toBe(403);
    const foreign = { origin: 'https://evil.example' };
    expect((await client({ cookie: owner.cookie }).post('/v1/auth/password', body, foreign)).status).toBe(
      403,
    );
  });

  it('leaves one of two changes at once', async () => {
    const { owner } = await newWorkspace();
    const here = client({ cookie: owner.cookie });
    const change = (next: string) => here.post('/v1/auth/password', { current: owner.password, next });
    const answers = await Promise.all([change('the first of two'), change('the second of two')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    const winner = answers[0]!.status === 204 ? 'the first of two' : 'the second of two';
    expect((await login(owner.email, winner)).status).toBe(200);
  });
});

describe('what other domains and the first start use', () => {
  const settings = { GATEHOUSE_ROLE: 'api', GATEHOUSE_DATA: inject('dataDirectory') };
  let app: Awaited<ReturnType<typeof createApp>>;

  beforeAll(async () => {
    app = await createApp(new Settings(settings), new ConnectionOptions(inject('databaseUrl'), 4));
  });
  afterAll(() => app.close());

  it('makes accounts, one for an address in any case', async () => {
    const users = app.get(UsersService, { strict: false });
    const address = `New.Person.${Date.now()}@Example.com`;
    const made = await users.create({ email: address, name: 'New', password: 'a password of theirs' });
    expect(made).toMatchObject({ email: address.toLowerCase(), name: 'New' });
    const answer = await login(address, 'a password of theirs');
    expect(answer.body).toEqual({ ...made, workspaces: [] });
    const again = users.create({ email: address.toUpperCase(), name: 'Again', password: null });
    await expect(again).rejects.toMatchObject({ status: 409 });
  });

  it('gives an agent a token for an hour, within its scopes and its workspace', async () => {
    const { slug, owner } = await newWorkspace();
    const { access_token: token } = await connect(owner, { workspace: slug, scopes: ['workspace:read'] });
    const agent = client({ token, workspace: slug });
    expect((await agent.get('/v1/workspace')).status).toBe(200);
    expect((await agent.get('/v1/workspace/members')).status).toBe(403);
    const { rows } = await database().query(
      `UPDATE agent_access_tokens t SET expires_at = now() - interval '1 second'
       FROM agent_access_tokens before WHERE t.hash = $1 AND before.hash = t.hash
       RETURNING extract(epoch FROM before.expires_at - now()) AS left`,
      [hashToken(token)],
    );
    expect(Number(rows[0].left)).toBeGreaterThan(3500);
    expect(Number(rows[0].left)).toBeLessThanOrEqual(3600);
    expect((await agent.get('/v1/workspace')).status).toBe(401);
  });

  it('opens no session by a password that has just been changed', async () => {
    const { owner } = await newWorkspace();
    const sessions = app.get(SessionsService, { strict: false });
    const place = { address: '203.0.113.7', userAgent: null, previousToken: null };
    const earlier = { passwordHash: 'the hash of an earlier password', secondFactor: false };
    expect(await sessions.open(owner.id, earlier, place)).toBeNull();
  });

  it('opens no session without the second factor that has just been set up', async () => {
    const { owner } = await newWorkspace();
    const sessions = app.get(SessionsService, { strict: false });
    const place = { address: '203.0.113.7', userAgent: null, previousToken: null };
    const select = 'SELECT password_hash AS hash FROM users WHERE id = $1';
    const passwordHash = (await database().query(select, [owner.id])).rows[0].hash as string;
    await database().query('UPDATE users SET second_factor = true WHERE id = $1', [owner.id]);
    expect(await sessions.open(owner.id, { passwordHash, secondFactor: false }, place)).toBeNull();
    expect(await sessions.open(owner.id, { passwordHash, secondFactor: true }, place)).not.toBeNull();
  });

  it('takes what has expired off the disk', async () => {
    const { id, owner } = await newWorkspace();
    await owner.agent();
    const live = await owner.agent();
    await database().query(
      `UPDATE agent_access_tokens SET expires_at = now() - interval '1 second' WHERE hash <> $2 AND grant_id IN
         (SELECT id FROM agent_grants WHERE workspace_id = $1)`,
      [id, hashToken(live)],
    );
    await login(owner.email, owner.password);
    await database().query(
      `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1 AND hash = sha256($2::bytea)`,
      [owner.id, Buffer.from(owner.cookie.split('=')[1]!)],
    );
    const left = async () => {
      // The other process on this database may be at it.
      await app.get(Loops).passNow('ExpirySweeper.sweep');
      const { rows: tokens } = await database().query(
        `SELECT t.hash FROM agent_access_tokens t JOIN agent_grants g ON g.id = t.grant_id WHERE g.workspace_id = $1`,
        [id],
      );
      const { rowCount } = await database().query('SELECT FROM sessions WHERE user_id = $1', [owner.id]);
      return { tokens, sessions: rowCount };
    };
    await expect.poll(left).toEqual({ tokens: [{ hash: hashToken(live) }], sessions: 1 });
  });
});
