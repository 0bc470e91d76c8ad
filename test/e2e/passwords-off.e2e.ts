import { createHash, randomBytes } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { type Client, createClient, firstRun, type GatehouseProcess } from '../../libs/testing/index.js';
import { type Ended, runAdmin, runStart } from '../support/admin.js';
import { copiedPlace, startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { SHAPES, ShapedProvider } from '../support/shaped-provider.js';
import { Visitor } from '../support/visitor.js';

const LINK = '/v1/auth/sign-in-link';
const OWNER = 'olive@acme.example';

let provider: ShapedProvider;
let smtp: MailServer;
let env: Record<string, string>;
let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let password: string;
let slug: string;

beforeAll(async () => {
  provider = await new ShapedProvider(SHAPES.okta).listen();
  smtp = await startMailServer();
  env = {
    GATEHOUSE_PASSWORDS: 'off',
    GATEHOUSE_LOG_LEVEL: 'debug',
    GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
    GATEHOUSE_OIDC_ISSUER: provider.issuer,
    GATEHOUSE_OIDC_CLIENT_ID: provider.client.id,
    GATEHOUSE_OIDC_CLIENT_SECRET: provider.client.secret,
    GATEHOUSE_OIDC_DOMAINS: 'acme.example',
    GATEHOUSE_OIDC_NAME: 'Acme',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'gate@acme.example',
  };
  gatehouse = await startGatehouse({ env });
  provider.serve(`${gatehouse.baseUrl}/v1/auth/ways/company/callback`);
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  const credentials = await firstRun(gatehouse);
  password = credentials['password']!;
  slug = credentials['workspace']!;
  await pool.query('UPDATE users SET email = $1 WHERE email = $2', [OWNER, credentials['email']]);
});

afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
  await smtp?.stop();
  await provider?.[Symbol.asyncDispose]();
});

const anybody = (cookie?: string): Client =>
  createClient({ baseUrl: gatehouse.baseUrl, ...(cookie !== undefined && { cookie }) });

const admin = (...args: string[]): Promise<Ended> =>
  runAdmin(args, {
    ...env,
    DATABASE_URL: gatehouse.databaseUrl,
    GATEHOUSE_DATA: gatehouse.dataDirectory,
    GATEHOUSE_BASE_URL: gatehouse.baseUrl,
  });

/** As the command makes it, which is a process each time. */
async function tokenFor(email = OWNER): Promise<string> {
  const token = randomBytes(32).toString('hex').slice(0, 43);
  await pool.query(
    `INSERT INTO sign_in_links (hash, user_id, expires_at)
     SELECT $1, id, now() + interval '15 minutes' FROM users WHERE email = $2
     ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`,
    [createHash('sha256').update(token).digest(), email],
  );
  return token;
}

async function signedInByLink(): Promise<string> {
  const answer = await anybody().post(LINK, { token: await tokenFor() });
  expect(answer.status, answer.text).toBe(200);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

/** Commands and starts are processes. */
const SLOWLY = { timeout: 240_000 };

describe('without passwords', SLOWLY, () => {
  it('nobody signs in with one, and everybody is told the same', async () => {
    expect((await anybody().get('/v1/auth/ways')).body).toEqual({
      items: [{ id: 'company', title: 'Acme' }],
      passwords: false,
    });
    const asked: [string, object][] = [
      ['/v1/auth/login', { email: OWNER, password }],
      ['/v1/auth/login', { email: OWNER, password: 'wrong' }],
      ['/v1/auth/login', { email: 'nobody@acme.example', password: 'wrong' }],
      ['/v1/auth/forgot', { email: OWNER }],
      ['/v1/auth/reset', { token: 'x', password: 'a new password' }],
    ];
    for (const [path, body] of asked) {
      const { status, body: answer } = await anybody().post(path, body);
      expect([status, answer.error.code, answer.error.message]).toEqual([
        403,
        'forbidden',
        "Passwords are off here (GATEHOUSE_PASSWORDS). Sign in with your company's provider.",
      ]);
    }
    expect(smtp.mails).toEqual([]);
    const api = anybody(await signedInByLink());
    expect((await api.post('/v1/auth/confirm', { password })).status).toBe(403);
    expect((await api.post('/v1/auth/password', { current: password, next: 'a new one!' })).status).toBe(403);
  });

  it('an invitation is accepted with the account that a sign-in at the provider makes', async () => {
    const api = createClient({ baseUrl: gatehouse.baseUrl, cookie: await signedInByLink(), workspace: slug });
    const invited = await api.post('/v1/workspace/invitations', { email: 'bo@acme.example', role: 'admin' });
    expect(invited.status, invited.text).toBe(201);
    const mail = await vi.waitUntil(() => smtp.mails.find(({ to }) => to[0] === 'bo@acme.example'), 60_000);
    const [, token] = /\/invitations\/(\w{43})/.exec(mail.text)!;
    const accept = `/v1/invitations/${token}/accept`;
    const alone = await anybody().post(accept, { name: 'Bo', password: 'a good password' });
    expect([alone.status, alone.body.error.message]).toEqual([
      403,
      "Passwords are off here. Sign in with your company's provider as bo@acme.example, then accept.",
    ]);

    const cy = new Visitor(gatehouse.baseUrl);
    provider.expects('cy', { email: 'cy@acme.example', email_verified: true });
    expect(await cy.signIn('company')).toBe('/sign-in?problem=not_admitted');

    const bo = new Visitor(gatehouse.baseUrl);
    provider.expects('bo', { email: 'bo@acme.example', email_verified: true, name: 'Bo' });
    expect(await bo.signIn('company', { next: '/welcome' })).toBe('/welcome');
    expect(await bo.me()).toMatchObject({ email: 'bo@acme.example', workspaces: [] });
    expect((await anybody(await signedInByLink()).post(accept, {})).status).toBe(403);
    const accepted = await bo.api.post(accept, {});
    expect(accepted.body).toMatchObject({ name: 'Bo', workspaces: [{ slug, role: 'admin' }] });
  });

  it('sessions from before go on', async () => {
    const cookie = await signedInByLink();
    expect((await anybody(cookie).get('/v1/auth/session')).status).toBe(200);
  });
});

describe('a link of the operator', SLOWLY, () => {
  it('signs in once, and owners and the audit trail learn of it', async () => {
    const before = smtp.mails.length;
    const older = await tokenFor();
    const { code, stdout, stderr } = await admin('sign-in-link', OWNER.toUpperCase());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`signs in as ${OWNER}, once, within 15 minutes`);
    expect(stdout).toContain(`Told by mail: ${OWNER}.`);
    const link = new RegExp(`^  ${gatehouse.baseUrl}/sign-in-link#([0-9A-Za-z]{43})$`, 'm');
    const token = link.exec(stdout)![1]!;
    // Of each person the newest counts.
    expect((await anybody().post(LINK, { token: older })).status).toBe(400);
    await expect.poll(() => smtp.mails.slice(before).map(({ to }) => to[0])).toContain(OWNER);
    for (const { text } of smtp.mails) expect(text).not.toContain(token);

    const answer = await anybody().post(LINK, { token });
    expect([answer.status, answer.body.email]).toEqual([200, OWNER]);
    const api = createClient({
      baseUrl: gatehouse.baseUrl,
      cookie: answer.headers.get('set-cookie')!.split(';')[0]!,
      workspace: slug,
    });
    // As fresh as a sign-in with a password.
    expect((await api.post('/v1/account/tokens', { name: 'Mine', scopes: ['runs:read'] })).status).toBe(201);
    const { rows: entries } = await pool.query(
      `SELECT action, actor_type, details FROM audit_events WHERE action LIKE 'user.sign%' ORDER BY id DESC LIMIT 2`,
    );
    expect(entries).toMatchObject([
      { action: 'user.signed_in', details: { way: 'link' } },
      { action: 'user.sign_in_link_created', actor_type: 'staff' },
    ]);
    const again = await anybody().post(LINK, { token });
    expect([again.status, again.body.error.details[0].path]).toEqual([400, 'token']);
    expect(again.headers.get('set-cookie')).toBeNull();
    // Neither the log nor the database has it.
    expect(gatehouse.output()).not.toContain(token);
    const kept = await pool.query('SELECT * FROM sign_in_links');
    expect(JSON.stringify(kept.rows)).not.toContain(token);
    expect((await pool.query('SELECT details::text FROM audit_events')).rows.join()).not.toContain(token);
  });

  it('opens nothing where it is guessed, too old, or of a disabled account', async () => {
    for (const token of ['x', 'A'.repeat(43), "' OR true --"]) {
      expect((await anybody().post(LINK, { token })).status).toBe(400);
    }
    const token = await tokenFor();
    expect((await anybody().get(`${LINK}?token=${token}`)).status).toBe(405);
    await pool.query('UPDATE sign_in_links SET expires_at = now()');
    expect((await anybody().post(LINK, { token })).status).toBe(400);

    await pool.query(`INSERT INTO users (id, email, name) VALUES ('usr_gone', 'gone@acme.example', 'Gone')`);
    const gone = await tokenFor('gone@acme.example');
    await pool.query(`UPDATE users SET disabled_at = now() WHERE id = 'usr_gone'`);
    expect((await anybody().post(LINK, { token: gone })).status).toBe(400);
    const nobody = await admin('sign-in-link', 'nobody@acme.example');
    expect([nobody.code, nobody.stdout]).toEqual([1, '']);
    expect(nobody.stderr).toContain('There is no account with the address nobody@acme.example.');
  });

  it('signs in one alone of many who use it at the same moment', async () => {
    const token = await tokenFor();
    const answers = await Promise.all(Array.from({ length: 8 }, () => anybody().post(LINK, { token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('cannot be tried without end, nor by a page of another site', async () => {
    const token = await tokenFor();
    const foreign = await anybody().post(LINK, { token }, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    const answers = await Promise.all(Array.from({ length: 50 }, () => anybody().post(LINK, { token: 'x' })));
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});

describe('a start', SLOWLY, () => {
  it('is refused where nobody could sign in', async () => {
    const { dataDirectory, databaseUrl } = await copiedPlace();
    const { code, stderr } = await runStart({
      GATEHOUSE_DATA: dataDirectory,
      DATABASE_URL: databaseUrl,
      GATEHOUSE_PASSWORDS: 'off',
      PORT: '0',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('GATEHOUSE_PASSWORDS: got "off"; it takes `on` where there is no other way');
    expect(stderr).not.toContain('    at ');
  });

  it('goes on where the provider cannot be reached, and says so with what opens it', async () => {
    const unreachable = await startGatehouse({
      env: { ...env, GATEHOUSE_OIDC_ISSUER: 'https://10.11.12.13/realms/acme', SMTP_URL: '' },
    });
    try {
      await expect
        .poll(() => unreachable.output())
        .toMatch(/Nobody can sign in with Acme for now.*10\.11\.12\.13.*GATEHOUSE_OUTBOUND_ALLOW/);
      const { status, text } = await createClient({ baseUrl: unreachable.baseUrl }).post(
        '/v1/auth/ways/company/start',
        {},
      );
      expect(status).toBe(503);
      expect(text).toContain('Acme cannot be reached. Try again.');
      expect(text).not.toMatch(/10\.11|private/);
    } finally {
      await unreachable.stop();
    }
  });
});
