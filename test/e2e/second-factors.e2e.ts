import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  type Client,
  createClient,
  type GatehouseProcess,
  type Json,
  Seed,
  type TestPerson,
  type TestWorkspace,
} from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { auditOf, inApp } from '../support/people.js';
import {
  addPasskey,
  askForPasskey,
  beginAuthenticator,
  CodeApp,
  FACTORS,
  givePassword,
  secondStep,
  setUpAuthenticator,
} from '../support/second-factors.js';

const OLD = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;

let workspace: TestWorkspace;
let owner: TestPerson;
let app: Client;

beforeEach(async () => {
  workspace = await newWorkspace();
  owner = workspace.owner;
  app = inApp(owner, workspace);
});

const actionsOf = async (): Promise<string[]> =>
  (await auditOf(workspace, owner.id)).map(({ action }) => action as string);

describe('an app for codes', () => {
  it('counts once a code of it was given, and is asked for from then on', async () => {
    const codes = await beginAuthenticator(owner);
    expect(codes.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await app.get(FACTORS)).body).toEqual({
      passkeys: [],
      authenticator: null,
      recoveryCodesLeft: 0,
      available: true,
      passkeysAvailable: false,
    });
    const login = { email: owner.email, password: owner.password };
    const before = await client().post('/v1/auth/login', login);
    expect(before.status).toBe(200);
    const wrong = await app.post(`${FACTORS}/authenticator/confirm`, { code: codes.wrong() });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'code']);

    const added = await app.post(`${FACTORS}/authenticator/confirm`, { code: codes.code() });
    expect(added.status).toBe(200);
    expect(new Set(added.body.recoveryCodes).size).toBe(10);
    expect((await app.get(FACTORS)).body).toMatchObject({
      authenticator: { lastUsedAt: expect.any(String) },
      recoveryCodesLeft: 10,
    });
    expect(await actionsOf()).toContain('user.authenticator_added');
    // Nobody has shown a factor in the sessions that there were.
    const other = before.headers.get('set-cookie')!.split(';')[0]!;
    expect((await client({ cookie: other }).get('/v1/auth/session')).status).toBe(401);

    const due = await client().post('/v1/auth/login', login);
    expect([due.status, due.body.error.code]).toEqual([403, 'second_factor_required']);
    expect(due.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^gatehouse_second_factor=.*HttpOnly/),
    ]);
    const half = await givePassword(owner);
    const asked = await half.browser.get('/v1/auth/second-factor', { cookie: half.cookie });
    expect(asked.body).toEqual({ codes: true, passkeyOptions: null });
    const { status, body, headers } = await secondStep(half, { code: codes.code() });
    expect([status, body.id]).toEqual([200, owner.id]);
    const session = headers.getSetCookie().find((line) => line.startsWith('gatehouse_session='))!;
    const api = client({ cookie: session.split(';')[0]!, workspace: workspace.slug });
    expect((await api.get('/v1/workspace')).status).toBe(200);
  });

  it('is kept sealed, and there is one of it', async () => {
    const codes = await setUpAuthenticator(owner);
    const { rows } = await database().query('SELECT sealed FROM totp_secrets WHERE user_id = $1', [owner.id]);
    const secret = Buffer.from(codes.secret);
    expect((rows[0].sealed as Buffer).includes(secret)).toBe(false);
    expect((await app.post(`${FACTORS}/authenticator`)).status).toBe(409);
    expect((await app.delete(`${FACTORS}/authenticator`)).status).toBe(204);
    expect((await app.delete(`${FACTORS}/authenticator`)).status).toBe(404);
    expect((await app.get(FACTORS)).body.recoveryCodesLeft).toBe(0);
    const login = await client().post('/v1/auth/login', { email: owner.email, password: owner.password });
    expect(login.status).toBe(200);
  });

  it('is not for who has no password', async () => {
    await database().query('UPDATE users SET password_hash = NULL WHERE id = $1', [owner.id]);
    expect((await app.get(FACTORS)).body.available).toBe(false);
    expect((await app.post(`${FACTORS}/authenticator`)).status).toBe(409);
    expect((await app.post(`${FACTORS}/passkeys/options`)).status).toBe(409);
  });
});

describe('recovery codes', () => {
  it('are each good once, and new ones take their place', async () => {
    const { recoveryCodes } = await setUpAuthenticator(owner);
    const [one, two] = recoveryCodes as [string, string];
    const typed = one.toUpperCase().replaceAll('-', ' ');
    expect((await secondStep(await givePassword(owner), { code: typed })).status).toBe(200);
    expect((await secondStep(await givePassword(owner), { code: one })).status).toBe(400);
    expect((await app.get(FACTORS)).body.recoveryCodesLeft).toBe(9);
    const renewed = await app.post(`${FACTORS}/recovery-codes`);
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await secondStep(await givePassword(owner), { code: two })).status).toBe(400);
    const fresh = renewed.body.recoveryCodes[3];
    expect((await secondStep(await givePassword(owner), { code: fresh })).status).toBe(200);
    expect(await actionsOf()).toEqual(
      expect.arrayContaining(['user.recovery_code_used', 'user.recovery_codes_made']),
    );
  });
});

describe('a passkey', () => {
  it('signs in by itself, and is the second step after a password', async () => {
    const { id, device, recoveryCodes } = await addPasskey(owner);
    expect(recoveryCodes).toHaveLength(10);
    expect((await app.get(FACTORS)).body.passkeys).toEqual([
      { id, name: 'A device', createdAt: expect.any(String), lastUsedAt: null },
    ]);
    const { options, ...alone } = await askForPasskey();
    expect(options).toMatchObject({ userVerification: 'required', rpId: '127.0.0.1' });
    const passkey = device.get(options);
    const entered = await alone.browser.post('/v1/auth/passkey', { passkey }, { cookie: alone.cookie });
    expect([entered.status, entered.body.id]).toEqual([200, owner.id]);

    const half = await givePassword(owner);
    const asked = (await half.browser.get('/v1/auth/second-factor', { cookie: half.cookie })).body;
    expect(asked.codes).toBe(false);
    expect(asked.passkeyOptions.allowCredentials).toMatchObject([
      { id: device.id, transports: ['internal'] },
    ]);
    expect((await secondStep(half, { passkey: device.get(asked.passkeyOptions) })).status).toBe(200);
    expect((await app.get(FACTORS)).body.passkeys[0].lastUsedAt).toEqual(expect.any(String));
    expect(await actionsOf()).toEqual(expect.arrayContaining(['user.passkey_added', 'user.signed_in']));

    expect((await app.delete(`${FACTORS}/passkeys/${id}`)).status).toBe(204);
    const again = await askForPasskey();
    const shown = { passkey: device.get(again.options) };
    expect((await again.browser.post('/v1/auth/passkey', shown, { cookie: again.cookie })).status).toBe(400);
  });

  it('is one of several, none of them twice', async () => {
    const { device } = await addPasskey(owner);
    expect((await addPasskey(owner)).recoveryCodes).toBeNull();
    await expect(addPasskey(await workspace.person('member'), device)).rejects.toThrow('registered already');
  });
});

describe('POST /v1/auth/confirm', () => {
  const confirmed = async (): Promise<boolean> =>
    (await app.post(`${FACTORS}/recovery-codes`)).status === 200;

  it('takes a code besides the password', async () => {
    const codes = await setUpAuthenticator(owner);
    await database().query(OLD, [owner.id]);
    expect(await confirmed()).toBe(false);
    const { password } = owner;
    const code = codes.code();
    const tries: [Json, string][] = [
      [{ password }, 'code'],
      [{ password, code: codes.wrong() }, 'code'],
      [{ code }, 'password'],
      [{ password: 'wrong', code }, 'password'],
    ];
    for (const [body, path] of tries) {
      const { status, body: told } = await app.post('/v1/auth/confirm', body);
      expect([status, told.error.details[0].path]).toEqual([400, path]);
    }
    expect(await confirmed()).toBe(false);
    expect((await app.post('/v1/auth/confirm', { password, code })).status).toBe(204);
    expect(await confirmed()).toBe(true);
  });

  it('takes a passkey instead', async () => {
    const { device } = await addPasskey(owner);
    await database().query(OLD, [owner.id]);
    const asked = await app.post('/v1/auth/confirm/options');
    const cookie = [owner.cookie, asked.headers.get('set-cookie')!.split(';')[0]].join('; ');
    const passkey = device.get(asked.body.options);
    expect((await app.post('/v1/auth/confirm', { passkey })).status).toBe(400);
    expect(await confirmed()).toBe(false);
    expect((await app.post('/v1/auth/confirm', { passkey }, { cookie })).status).toBe(204);
    expect(await confirmed()).toBe(true);
    expect((await app.post('/v1/auth/confirm', { passkey }, { cookie })).status).toBe(400);
  });

  it('is needed before a change of the password, which does not stand for it', async () => {
    const codes = await setUpAuthenticator(owner);
    await database().query(OLD, [owner.id]);
    const change = { current: owner.password, next: 'another password of mine' };
    const refused = await app.post('/v1/auth/password', change);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'confirmation_required']);
    await app.post('/v1/auth/confirm', { password: owner.password, code: codes.code() });
    expect((await app.post('/v1/auth/password', change)).status).toBe(204);
  });
});

describe('a workspace', () => {
  const SETTINGS = '/v1/workspace/sign-in-settings';

  it('takes a second factor of who has a password, once its owner has one', async () => {
    expect((await app.get(SETTINGS)).body).toEqual({ secondFactorRequired: false, stepUpMinutes: null });
    const early = await app.patch(SETTINGS, { secondFactorRequired: true });
    expect(early.status).toBe(409);
    await setUpAuthenticator(owner);
    const set = await app.patch(SETTINGS, { secondFactorRequired: true });
    expect(set.body).toEqual({ secondFactorRequired: true, stepUpMinutes: null });
    expect((await auditOf(workspace, workspace.id)).at(-1)).toMatchObject({
      action: 'workspace.sign_in_changed',
      details: { secondFactorRequired: true },
    });
    const member = await workspace.person('member');
    const refused = await inApp(member, workspace).get('/v1/scripts');
    expect([refused.status, refused.body.error.code]).toEqual([403, 'second_factor_missing']);
    await setUpAuthenticator(member);
    expect((await inApp(member, workspace).get('/v1/scripts')).status).toBe(200);
    // Who signs in at a company's provider has no password, or comes from there.
    const employee = await workspace.person('member');
    await database().query('UPDATE sessions SET provided = true WHERE user_id = $1', [employee.id]);
    expect((await inApp(employee, workspace).get('/v1/scripts')).status).toBe(200);
    const key = client({ token: await workspace.apiKey() });
    expect((await key.get('/v1/scripts')).status).toBe(200);
  });

  it('wants its people to confirm shortly before they approve or change secrets', async () => {
    const set = await app.patch(SETTINGS, { stepUpMinutes: 5 });
    expect(set.body).toEqual({ secondFactorRequired: false, stepUpMinutes: 5 });
    const value = { value: 'sk_of_the_test', hosts: ['api.example.com'] };
    const put = (api: Client) => api.put('/v1/workspace/secrets/STEP', value);
    expect((await put(app)).status).toBeLessThan(300);
    const late = `UPDATE sessions SET confirmed_at = now() - interval '6 minutes' WHERE user_id = $1`;
    await database().query(late, [owner.id]);
    for (const attempt of [() => put(app), () => app.delete('/v1/workspace/secrets/STEP')]) {
      const { status, body } = await attempt();
      expect([status, body.error.code]).toEqual([403, 'confirmation_required']);
      expect(body.error.message).toContain('5 minutes');
    }
    await app.patch('/v1/workspace/environments/production', { approvalPolicy: 'always' });
    const loosen = (api: Client) =>
      api.patch('/v1/workspace/environments/production', { approvalPolicy: 'none' });
    expect((await loosen(app)).body.error.code).toBe('confirmation_required');
    expect((await loosen(client({ token: owner.token, workspace: workspace.slug }))).status).toBe(403);
    const asker = client({ token: (await workspace.person('member')).token, workspace: workspace.slug });
    const request = { action: 'team.create', input: { name: 'Support' }, reason: 'For the test' };
    const { id } = (await asker.post('/v1/workspace/approval-requests', request)).body;
    const approve = () => app.post(`/v1/workspace/approval-requests/${id}/approve`);
    expect((await approve()).body.error.code).toBe('confirmation_required');
    // What else an owner does takes no more than before.
    expect((await app.get('/v1/workspace/secrets')).status).toBe(200);
    const byToken = await put(client({ token: owner.token, workspace: workspace.slug }));
    expect([byToken.status, byToken.body.error.code]).toEqual([403, 'forbidden']);
    expect((await put(client({ token: await workspace.apiKey() }))).status).toBeLessThan(300);

    expect((await app.post('/v1/auth/confirm', { password: owner.password })).status).toBe(204);
    expect((await approve()).body.status).toBe('completed');
    expect((await app.delete('/v1/workspace/secrets/STEP')).status).toBe(204);
    expect((await loosen(app)).status).toBe(200);
  });
});

describe('an instance that takes a second factor everywhere', { timeout: 180_000, tags: 'slow' }, () => {
  let smtp: MailServer;
  let gatehouse: GatehouseProcess & { databaseUrl: string };
  let pool: pg.Pool;
  let person: TestPerson;
  let slug: string;

  beforeAll(async () => {
    smtp = await startMailServer();
    const env = {
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_SECOND_FACTOR: 'required',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    };
    gatehouse = await startGatehouse({ env });
    pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
    const made = await new Seed(gatehouse.baseUrl, pool).workspace();
    [person, slug] = [made.owner, made.slug];
  });

  afterAll(async () => {
    await pool?.end();
    await gatehouse?.stop();
    await smtp?.stop();
  });

  it('says so, tells of each change by mail, and lets its operator take factors away', async () => {
    const api = (options: object = {}) => createClient({ baseUrl: gatehouse.baseUrl, ...options });
    const session = api({ cookie: person.cookie, workspace: slug });
    const token = api({ token: person.token, workspace: slug });
    for (const each of [session, token]) {
      expect((await each.get('/v1/scripts')).body.error.code).toBe('second_factor_missing');
    }
    const { secret } = (await session.post(`${FACTORS}/authenticator`)).body;
    const codes = new CodeApp(secret);
    expect((await session.post(`${FACTORS}/authenticator/confirm`, { code: codes.code() })).status).toBe(200);
    for (const each of [session, token]) expect((await each.get('/v1/scripts')).status).toBe(200);
    const [mail] = await smtp.received(1);
    expect(mail).toMatchObject({ to: [person.email] });
    expect(mail!.text).toContain('An app for codes was added to your account.');
    expect(mail!.text).not.toContain(secret);

    const env = { DATABASE_URL: gatehouse.databaseUrl, GATEHOUSE_DATA: gatehouse.dataDirectory };
    const ended = await runAdmin(['users', 'remove-factors', person.email], {
      ...env,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('has no second factor any more');
    expect((await session.get('/v1/auth/session')).status).toBe(401);
    const { email, password } = person;
    expect((await api().post('/v1/auth/login', { email, password })).status).toBe(200);
    expect((await token.get('/v1/scripts')).body.error.code).toBe('second_factor_missing');
    const audited = `SELECT actor_type AS actor FROM audit_events WHERE action = 'user.factors_removed' AND target_id = $1`;
    expect((await pool.query(audited, [person.id])).rows).toEqual([{ actor: 'staff' }]);
    expect((await smtp.received(2))[1]!.text).toContain('has removed the second factors');
    const again = await runAdmin(['users', 'remove-factors', person.email], env);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has no second factor')]);
  });
});
