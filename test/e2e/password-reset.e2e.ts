import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, Seed, type TestWorkspace, createClient } from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { client, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';

const NEW = 'a new password';

let smtp: MailServer;
let app: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let ws: TestWorkspace;
let lastAddress = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  app = await startGatehouse({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_TRUST_PROXY: '127.0.0.1',
    },
  });
  pool = new pg.Pool({ connectionString: app.databaseUrl, max: 4 });
  ws = await new Seed(app.baseUrl, pool).workspace();
});

afterAll(async () => {
  await pool?.end();
  await app?.stop();
  await smtp?.stop();
});

/** Somebody at an address of their own, so that no test limits another. */
const anybody = (): Client =>
  createClient({
    baseUrl: app.baseUrl,
    headers: { 'x-forwarded-for': `10.9.${++lastAddress >> 8}.${lastAddress & 255}` },
  });

const forgot = (email: unknown, api = anybody()) => api.post('/v1/auth/forgot', { email });
const reset = (token: unknown, password: unknown = NEW, api = anybody()) =>
  api.post('/v1/auth/reset', { token, password });
const login = (email: string, password: string) => anybody().post('/v1/auth/login', { email, password });

/** The token in the latest mail to somebody. */
async function mailedTo(email: string): Promise<string> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const mail = smtp.mails.findLast(({ to }) => to.includes(email));
    if (mail) return new RegExp(`^${app.baseUrl}/reset-password/(\\w+)$`, 'm').exec(mail.text)![1]!;
    if (Date.now() > deadline) throw new Error(`No mail came to ${email}.`);
    await new Promise((next) => setTimeout(next, 20));
  }
}

async function tokenFor(email: string): Promise<string> {
  await pool.query('DELETE FROM password_resets r USING users u WHERE u.id = r.user_id AND u.email = $1', [
    email,
  ]);
  const before = smtp.mails.length;
  expect((await forgot(email)).status).toBe(204);
  await smtp.received(before + 1);
  return mailedTo(email);
}

const auditOf = async (workspace: TestWorkspace): Promise<unknown[]> =>
  (
    await pool.query(
      `SELECT actor_type AS actor, actor_user_id AS by, target_type AS type, target_id AS id FROM audit_events
       WHERE workspace_id = $1 AND action = 'user.password_reset'`,
      [workspace.id],
    )
  ).rows;

describe('POST /v1/auth/forgot', () => {
  it('mails a link to the account, and keeps only the hash of its token, for an hour', async () => {
    const { email, name, id } = await ws.person('member');
    const answer = await forgot(`  ${email.toUpperCase()}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const token = await mailedTo(email);
    expect(smtp.mails.at(-1)!.text).toContain(`Hello ${name},`);
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM expires_at - now())::int AS seconds, used_at AS used FROM password_resets
       WHERE user_id = $1 AND hash = sha256($2::bytea)`,
      [id, Buffer.from(token)],
    );
    expect(rows).toEqual([{ seconds: expect.any(Number), used: null }]);
    expect(rows[0].seconds).toBeGreaterThan(3500);
    expect(rows[0].seconds).toBeLessThanOrEqual(3600);
  });

  it('responds the same, in the same time, whether there is an account or not', async () => {
    const least = { known: Infinity, unknown: Infinity };
    const difference = () => Math.abs(least.known - least.unknown);
    const bodies = new Set<string>();
    const timed = async (kind: keyof typeof least, email: string): Promise<void> => {
      const begin = performance.now();
      const answer = await forgot(email);
      least[kind] = Math.min(least[kind], performance.now() - begin);
      bodies.add(JSON.stringify([answer.status, answer.text, [...answer.headers.keys()].sort()]));
    };
    let address = '';
    // The least of many comes close to what each takes by itself, sooner on a quiet machine than on a busy one.
    for (let round = 0; round < 3 || (round < 30 && difference() >= 100); round++) {
      address = (await ws.person('member')).email;
      await timed('known', address);
      await timed('unknown', `no-${address}`);
    }
    expect([...bodies]).toHaveLength(1);
    expect(least.unknown).toBeGreaterThan(250);
    expect(difference()).toBeLessThan(100);
    await mailedTo(address);
    expect(smtp.mails.some(({ to }) => to[0]!.startsWith('no-'))).toBe(false);
  });

  it('sends one mail a minute at most, and several asked at once send one', async () => {
    const { email } = await ws.person('member');
    const answers = await Promise.all(Array.from({ length: 5 }, () => forgot(email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(204));
    const first = await mailedTo(email);
    expect((await forgot(email)).status).toBe(204);
    // A mail to somebody else comes after whatever was sent before it.
    await tokenFor((await ws.person('member')).email);
    expect(smtp.mails.filter(({ to }) => to[0] === email)).toHaveLength(1);
    expect((await reset(first)).status).toBe(204);
  });

  it('is limited for an account from one address, and so for one that does not exist', async () => {
    const [known, unknown] = [(await ws.person('member')).email, 'nobody-at-all@example.com'];
    for (const email of [known, unknown]) {
      const api = anybody();
      for (let count = 0; count < 5; count++) expect((await forgot(email, api)).status).toBe(204);
      const sixth = await forgot(email, api);
      expect([sixth.status, sixth.body.error.code]).toEqual([429, 'rate_limited']);
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await login(known, 'correct horse battery staple')).status).toBe(200);
  });

  it.each([[{}], [{ email: '' }], [{ email: 5 }], [{ email: null }], [{ email: 'a@b.c', link: 'x' }]])(
    'refuses the body %j',
    async (body) => {
      const answer = await anybody().post('/v1/auth/forgot', body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    },
  );

  it('refuses a page of another site', async () => {
    const answer = await anybody().post(
      '/v1/auth/forgot',
      { email: ws.owner.email },
      { origin: 'https://evil.example' },
    );
    expect(answer.status).toBe(403);
  });

  it('responds the same where there is no server for mail, and makes no token', async () => {
    const { owner } = await newWorkspace();
    const answer = await client().post('/v1/auth/forgot', { email: owner.email });
    expect([answer.status, answer.text]).toEqual([204, '']);
  });
});

describe('POST /v1/auth/reset', () => {
  it('responds to a retry with the same Idempotency-Key as the first time, once', async () => {
    const { email } = await ws.person('member');
    const body = { token: await tokenFor(email), password: NEW };
    const key = { 'idempotency-key': 'once' };
    const send = (fields = {}) => anybody().post('/v1/auth/reset', { ...body, ...fields }, key);
    expect((await send({ password: 'short' })).status).toBe(400);
    expect((await send()).status).toBe(204);
    const retry = await send();
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
    expect((await send({ password: 'another password' })).status).toBe(422);
    expect((await reset(body.token)).status).toBe(400);
  });

  it('sets the password, ends every session, leaves tokens alone, and is written down', async () => {
    const other = await new Seed(app.baseUrl, pool).workspace();
    const person = other.owner;
    const token = await tokenFor(person.email);
    const answer = await reset(token);
    expect([answer.status, answer.text, answer.headers.get('set-cookie')]).toEqual([204, '', null]);
    expect((await login(person.email, person.password)).status).toBe(401);
    expect((await login(person.email, NEW)).status).toBe(200);
    const at = (options: { cookie?: string; token?: string }) =>
      createClient({ baseUrl: app.baseUrl, workspace: other.slug, ...options }).get('/v1/workspace');
    expect((await at({ cookie: person.cookie })).status).toBe(401);
    expect((await at({ token: person.token })).status).toBe(200);
    expect(await auditOf(other)).toEqual([{ actor: 'user', by: person.id, type: 'user', id: person.id }]);
  });

  it('works once, also where it is sent twice at once', async () => {
    const { email } = await ws.person('member');
    const token = await tokenFor(email);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => reset(token, `password number ${n}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
    const again = await reset(token);
    expect(again.status).toBe(400);
    expect(again.body.error).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'token', message: 'is unknown, used or expired: ask for a new link' }],
    });
    const won = answers.findIndex(({ status }) => status === 204);
    expect((await login(email, `password number ${won}`)).status).toBe(200);
  });

  it("uses up the person's other links", async () => {
    const { email } = await ws.person('member');
    const first = await tokenFor(email);
    await pool.query(
      `INSERT INTO password_resets (hash, user_id, expires_at)
       SELECT sha256('other'), id, now() + interval '1 hour' FROM users WHERE email = $1`,
      [email],
    );
    expect((await reset(first)).status).toBe(204);
    expect((await reset('other')).status).toBe(400);
  });

  it('knows nothing of a link after its hour', async () => {
    const { email, password } = await ws.person('member');
    const token = await tokenFor(email);
    await pool.query(
      `UPDATE password_resets SET expires_at = now() - interval '1 second' WHERE hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
    expect((await reset(token)).status).toBe(400);
    expect((await login(email, password)).status).toBe(200);
  });

  it('gives an account without a password one', async () => {
    const { email, id } = await ws.person('guest');
    await pool.query('UPDATE users SET password_hash = NULL WHERE id = $1', [id]);
    expect((await reset(await tokenFor(email))).status).toBe(204);
    expect((await login(email, NEW)).status).toBe(200);
  });

  it('keeps a link whose new password is not good enough', async () => {
    const { email } = await ws.person('member');
    const token = await tokenFor(email);
    for (const password of ['short', '', 7, null, 'x'.repeat(201)]) {
      const answer = await reset(token, password);
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'password']);
    }
    expect((await reset(token)).status).toBe(204);
  });

  it.each([
    [{ password: NEW }, 'token'],
    [{ token: '', password: NEW }, 'token'],
    [{ token: 'x', password: NEW }, 'token'],
    [{ token: 'x'.repeat(201), password: NEW }, 'token'],
    [{ token: 'x', password: NEW, email: 'a@b.c' }, 'email'],
  ])('refuses the body %j at %s', async (body, path) => {
    const answer = await anybody().post('/v1/auth/reset', body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  it('refuses a page of another site, and too many tries from one address', async () => {
    const { email } = await ws.person('member');
    const token = await tokenFor(email);
    const api = anybody();
    const foreign = await api.post(
      '/v1/auth/reset',
      { token, password: NEW },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(foreign.status).toBe(403);
    const statuses: number[] = [];
    while (statuses.length < 300 && !statuses.includes(429)) {
      statuses.push((await reset('wrong', NEW, api)).status);
    }
    expect(statuses.at(0)).toBe(400);
    expect(statuses.at(-1)).toBe(429);
    expect((await reset(token)).status).toBe(204);
  });

  it('changes nothing by GET', async () => {
    expect((await anybody().get('/v1/auth/reset')).status).toBe(405);
    expect((await anybody().get('/v1/auth/forgot')).status).toBe(405);
  });
});

describe('npm run admin -- reset-password', { tags: 'slow' }, () => {
  const run = (args: string[], stdin?: string) =>
    runAdmin(
      ['reset-password', ...args],
      { DATABASE_URL: app.databaseUrl, GATEHOUSE_DATA: app.dataDirectory },
      stdin,
    );

  it('makes a password up, prints it once, and ends sessions, while Gatehouse runs', async () => {
    const other = await new Seed(app.baseUrl, pool).workspace();
    const person = other.owner;
    const { code, stdout, stderr } = await run([person.email.toUpperCase()]);
    expect([code, stderr]).toEqual([0, '']);
    const password = /has a new password: (\w{20})$/m.exec(stdout)![1]!;
    expect((await login(person.email, password)).status).toBe(200);
    expect((await login(person.email, person.password)).status).toBe(401);
    const session = await createClient({ baseUrl: app.baseUrl, cookie: person.cookie }).get(
      '/v1/auth/session',
    );
    expect(session.status).toBe(401);
    expect(await auditOf(other)).toEqual([{ actor: 'staff', by: null, type: 'user', id: person.id }]);
  });

  it('takes one from standard input, without telling it, and uses up links', async () => {
    const { email } = await ws.person('admin');
    const token = await tokenFor(email);
    const { code, stdout } = await run([email, '--password-file', '-'], 'typed by the operator\n');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('typed')]);
    expect((await login(email, 'typed by the operator')).status).toBe(200);
    expect((await reset(token)).status).toBe(400);
  });

  it('refuses what it cannot do, saying why', async () => {
    const { email } = await ws.person('member');
    const refusal = async (args: string[], reason: RegExp, stdin = '') => ({
      ...(await run(args, stdin)),
      reason,
    });
    const refusals = await Promise.all([
      refusal(['nobody@example.com'], /no account with the address nobody@example.com/),
      refusal([email, '--password-file', '-'], /8 to 200 characters/, 'short'),
      refusal([email, '--password-file', '/nowhere'], /could not be read/),
      refusal([], /Usage/),
      refusal([email, 'in the arguments'], /Usage/),
      refusal([email, '--password=in the arguments'], /Usage/),
    ]);
    for (const { code, stdout, stderr, reason } of refusals) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/^\s+at |in the arguments/m);
    }
    expect((await login(email, 'correct horse battery staple')).status).toBe(200);
  });
});
