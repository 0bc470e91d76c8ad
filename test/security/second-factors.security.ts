import { beforeEach, describe, expect, it } from 'vitest';

import type { Answer, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { connect, signInCommandLine } from '../support/oauth.js';
import { inApp } from '../support/people.js';
import {
  addPasskey,
  askForPasskey,
  cookiesOf,
  FACTORS,
  givePassword,
  type HalfIn,
  secondStep,
  setUpAuthenticator,
} from '../support/second-factors.js';
import { type Lies, SoftAuthenticator } from '../support/soft-authenticator.js';

const SETTINGS = '/v1/workspace/sign-in-settings';
let workspace: TestWorkspace;
let victim: TestPerson;

beforeEach(async () => {
  workspace = await newWorkspace();
  victim = workspace.owner;
});

const setsSession = (answer: Answer): boolean =>
  cookiesOf(answer).some((pair) => pair.startsWith('gatehouse_session='));

describe('who knows the password alone', () => {
  it('gets no session, whatever they send to skip the second step', async () => {
    await setUpAuthenticator(victim);
    const { email, password } = victim;
    const login = await client().post('/v1/auth/login', { email, password });
    expect([login.status, setsSession(login)]).toEqual([403, false]);
    const half = await givePassword(victim);
    for (const shown of [{}, { code: null }, { passkey: null }, { code: '', passkey: {} }, { passkey: {} }]) {
      const answer = await secondStep(half, shown);
      expect([answer.status, setsSession(answer)]).toEqual([400, false]);
    }
    const session = half.cookie.replace('gatehouse_second_factor', 'gatehouse_session');
    expect((await client({ cookie: session }).get('/v1/auth/session')).status).toBe(401);
  });

  it('tries a few codes, from wherever they come, and the right one is not taken then', async () => {
    const codes = await setUpAuthenticator(victim);
    const statuses: number[] = [];
    for (let count = 0; count < 14; count++) {
      statuses.push((await secondStep(await givePassword(victim), { code: codes.wrong() })).status);
    }
    expect(statuses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 400));
    expect(statuses.at(-1)).toBe(429);
    expect((await secondStep(await givePassword(victim), { code: codes.code() })).status).toBe(429);
    // The victim is not locked out.
    const [code] = codes.recoveryCodes;
    expect((await secondStep(await givePassword(victim), { code })).status).toBe(200);
  });

  it('tries five times from one address', async () => {
    const { recoveryCodes } = await setUpAuthenticator(victim);
    const half = await givePassword(victim);
    // At once: one more is given back every twelve seconds.
    const tries = Array.from({ length: 6 }, () => secondStep(half, { code: 'no-such-code' }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await secondStep(half, { code: recoveryCodes[0] })).status).toBe(429);
  });

  it('does not get around it by a new password from a mailed link', async () => {
    await setUpAuthenticator(victim);
    const insert = `INSERT INTO password_resets (hash, user_id, expires_at)
      VALUES (sha256($1::bytea), $2, now() + interval '1 hour')`;
    const token = 'a'.repeat(43);
    await database().query(insert, [Buffer.from(token), victim.id]);
    const password = 'chosen by the thief of a mailbox';
    expect((await client().post('/v1/auth/reset', { token, password })).status).toBe(204);
    const { status, body } = await client().post('/v1/auth/login', { email: victim.email, password });
    expect([status, body.error.code]).toEqual([403, 'second_factor_required']);
  });

  it('does not go on once the password is another', async () => {
    const codes = await setUpAuthenticator(victim);
    const half = await givePassword(victim);
    const change = { current: victim.password, next: 'another password of mine' };
    expect((await client({ cookie: victim.cookie }).post('/v1/auth/password', change)).status).toBe(204);
    expect((await secondStep(half, { code: codes.code() })).status).toBe(400);
  });
});

describe('a challenge', () => {
  it('opens nothing in another browser, after its time or a second time', async () => {
    const { device } = await addPasskey(victim);
    const codes = await setUpAuthenticator(victim);
    const half = await givePassword(victim);
    const asked = (await half.browser.get('/v1/auth/second-factor', { cookie: half.cookie })).body;
    const passkey = device.get(asked.passkeyOptions);
    const other: HalfIn = await givePassword(victim);
    // What was signed for one browser is sent from another, also from one that has given the password itself.
    expect((await secondStep({ ...other, cookie: '' }, { passkey })).status).toBe(400);
    expect((await secondStep(other, { passkey })).status).toBe(400);
    expect((await secondStep(half, { passkey })).status).toBe(200);
    expect((await secondStep(half, { passkey })).status).toBe(400);
    expect((await secondStep(half, { code: codes.code() })).status).toBe(400);

    const late = await givePassword(victim);
    const old = `UPDATE factor_challenges SET expires_at = now() WHERE user_id = $1`;
    await database().query(old, [victim.id]);
    expect((await secondStep(late, { code: codes.code() })).status).toBe(400);
  });

  it('of one purpose serves no other', async () => {
    const { device } = await addPasskey(victim);
    const alone = await askForPasskey();
    const shown = { passkey: device.get(alone.options) };
    expect((await secondStep(alone, shown)).status).toBe(400);
    const cookie = `${victim.cookie}; ${alone.cookie}`;
    const confirm = await client({ cookie }).post('/v1/auth/confirm', shown);
    expect(confirm.status).toBe(400);
    const half = await givePassword(victim);
    const { passkeyOptions } = (await half.browser.get('/v1/auth/second-factor', { cookie: half.cookie }))
      .body;
    const passkey = device.get(passkeyOptions);
    const swapped = await half.browser.post('/v1/auth/passkey', { passkey }, { cookie: half.cookie });
    expect([swapped.status, setsSession(swapped)]).toEqual([401, false]);
  });
});

describe('a code', () => {
  it('that was used is not taken again, nor is one before it', async () => {
    const codes = await setUpAuthenticator(victim);
    const before = Math.floor(Date.now() / 30_000) - 1;
    const code = codes.code();
    expect((await secondStep(await givePassword(victim), { code })).status).toBe(200);
    for (const replayed of [code, codes.codeOf(before)]) {
      expect((await secondStep(await givePassword(victim), { code: replayed })).status).toBe(400);
    }
  });

  it('serves one of two who use it at the same moment', async () => {
    const codes = await setUpAuthenticator(victim);
    for (const code of [codes.code(), codes.recoveryCodes[0]]) {
      const halves = [await givePassword(victim), await givePassword(victim), await givePassword(victim)];
      const answers = await Promise.all(halves.map((half) => secondStep(half, { code })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    }
  });

  it('of somebody else is no use', async () => {
    await setUpAuthenticator(victim);
    const other = await workspace.person('member');
    const theirs = await setUpAuthenticator(other);
    for (const code of [theirs.code(), theirs.recoveryCodes[0]]) {
      expect((await secondStep(await givePassword(victim), { code })).status).toBe(400);
    }
  });
});

describe('a passkey', () => {
  const LIES: [string, Lies][] = [
    ['the page of another site', { origin: 'https://gatehouse.example.net' }],
    ['another host', { rpId: 'gatehouse.example.net' }],
    ['a challenge of before', { challenge: 'A'.repeat(43) }],
    ['a device that has not made sure of its person', { unverified: true }],
    ['somebody else as it says itself', { userHandle: Buffer.from('usr_somebody').toString('base64url') }],
  ];

  it.each(LIES)('is not taken from %s', async (_, lies) => {
    const { device } = await addPasskey(victim);
    const { options, ...alone } = await askForPasskey();
    const passkey = device.get(options, lies);
    const answer = await alone.browser.post('/v1/auth/passkey', { passkey }, { cookie: alone.cookie });
    expect([answer.status, setsSession(answer)]).toEqual([400, false]);
  });

  it.each(LIES.slice(0, 4))('is not added from %s', async (_, lies) => {
    const begun = await client({ cookie: victim.cookie }).post(`${FACTORS}/passkeys/options`);
    const passkey = new SoftAuthenticator().create(begun.body.options, lies);
    const cookie = [victim.cookie, ...cookiesOf(begun)].join('; ');
    const added = await client({ cookie }).post(`${FACTORS}/passkeys`, { name: 'Theirs', passkey });
    expect(added.status).toBe(400);
    expect((await client({ cookie: victim.cookie }).get(FACTORS)).body.passkeys).toEqual([]);
  });

  it('of another account is no second step, and not one of a stranger', async () => {
    await setUpAuthenticator(victim);
    const { device } = await addPasskey(await workspace.person('member'));
    await addPasskey(victim);
    const half = await givePassword(victim);
    const { passkeyOptions } = (await half.browser.get('/v1/auth/second-factor', { cookie: half.cookie }))
      .body;
    for (const other of [device, new SoftAuthenticator()]) {
      expect((await secondStep(half, { passkey: other.get(passkeyOptions) })).status).toBe(400);
    }
  });

  it('that was copied gives itself away by its count', async () => {
    const { device } = await addPasskey(victim);
    const copy = device.copy();
    const signIn = async (with_: SoftAuthenticator, lies?: Lies) => {
      const { options, ...alone } = await askForPasskey();
      const passkey = with_.get(options, lies);
      return (await alone.browser.post('/v1/auth/passkey', { passkey }, { cookie: alone.cookie })).status;
    };
    expect(await signIn(device)).toBe(200);
    expect(await signIn(device)).toBe(200);
    expect(await signIn(copy)).toBe(400);
    expect(await signIn(device, { count: 0 })).toBe(400);
  });

  it('opens no account that has lost its password to a company’s provider', async () => {
    const { device } = await addPasskey(victim);
    await database().query('UPDATE users SET password_hash = NULL WHERE id = $1', [victim.id]);
    const { options, ...alone } = await askForPasskey();
    const shown = { passkey: device.get(options) };
    const answer = await alone.browser.post('/v1/auth/passkey', shown, { cookie: alone.cookie });
    expect([answer.status, setsSession(answer)]).toEqual([401, false]);
  });

  it('of whoever had the account before opens it no more once its owner has shown the address', async () => {
    await database().query('UPDATE users SET email_proven_at = NULL WHERE id = $1', [victim.id]);
    const { device } = await addPasskey(victim);
    const insert = `INSERT INTO password_resets (hash, user_id, expires_at)
      VALUES (sha256($1::bytea), $2, now() + interval '1 hour')`;
    const token = 'b'.repeat(43);
    await database().query(insert, [Buffer.from(token), victim.id]);
    const password = 'of the owner of the address';
    expect((await client().post('/v1/auth/reset', { token, password })).status).toBe(204);
    const { options, ...alone } = await askForPasskey();
    const shown = { passkey: device.get(options) };
    expect((await alone.browser.post('/v1/auth/passkey', shown, { cookie: alone.cookie })).status).toBe(400);
    expect((await client().post('/v1/auth/login', { email: victim.email, password })).status).toBe(200);
  });
});

describe('a workspace that takes a second factor', () => {
  it('is closed to every credential of a person without one', async () => {
    const person = await workspace.person('admin');
    const { slug } = workspace;
    const scopes = ['scripts:read', 'workspace:read'];
    const { access_token: app } = await connect(person, { workspace: slug, scopes });
    const { access_token: line } = await signInCommandLine(person, { workspace: slug, scopes });
    await setUpAuthenticator(victim);
    const set = await inApp(victim, workspace).patch(SETTINGS, { secondFactorRequired: true });
    expect(set.status, set.text).toBe(200);

    const made = await client({ cookie: person.cookie }).post('/v1/account/tokens', { name: 'Late', scopes });
    const credentials = [
      { cookie: person.cookie },
      { token: person.token },
      { token: made.body.token as string },
      { token: app },
      { token: line },
    ];
    for (const credential of credentials) {
      const api = client({ ...credential, workspace: slug });
      for (const path of ['/v1/scripts', '/v1/workspace', '/v1/workspace/sign-in-settings']) {
        const { status, body } = await api.get(path);
        expect([status, body.error?.code]).toEqual([403, 'second_factor_missing']);
      }
    }
    // A workspace of others tells nobody whether it takes one.
    const stranger = (await newWorkspace()).owner;
    const told = await client({ cookie: stranger.cookie, workspace: slug }).get('/v1/scripts');
    expect([told.status, told.body.error.code]).toEqual([403, 'forbidden']);

    await setUpAuthenticator(person);
    for (const credential of credentials) {
      expect((await client({ ...credential, workspace: slug }).get('/v1/workspace')).status).toBe(200);
    }
    expect((await client({ cookie: person.cookie }).delete(`${FACTORS}/authenticator`)).status).toBe(204);
    expect((await client({ token: line, workspace: slug }).get('/v1/workspace')).status).toBe(403);
  });

  it('is loosened by an owner in the app alone, who has just signed in', async () => {
    const codes = await setUpAuthenticator(victim);
    const owner = inApp(victim, workspace);
    await owner.patch(SETTINGS, { secondFactorRequired: true, stepUpMinutes: 5 });
    const loose = [{ secondFactorRequired: false }, { stepUpMinutes: null }, { stepUpMinutes: 6 }];
    const { slug } = workspace;
    const admin = await workspace.person('admin');
    await setUpAuthenticator(admin);
    const others = [
      client({ token: victim.token, workspace: slug }),
      client({ token: await workspace.apiKey() }),
      client({ token: await victim.agent(), workspace: slug }),
      inApp(admin, workspace),
    ];
    for (const other of others) {
      for (const body of loose) expect((await other.patch(SETTINGS, body)).status).toBe(403);
    }
    const old = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;
    await database().query(old, [victim.id]);
    const refused = await owner.patch(SETTINGS, { secondFactorRequired: false });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'confirmation_required']);
    const settings = (await client({ token: victim.token, workspace: slug }).get(SETTINGS)).body;
    expect(settings).toEqual({ secondFactorRequired: true, stepUpMinutes: 5 });
    await owner.post('/v1/auth/confirm', { password: victim.password, code: codes.code() });
    for (const body of loose) expect((await owner.patch(SETTINGS, body)).status).toBe(200);
    for (const body of [{ stepUpMinutes: 0 }, { stepUpMinutes: 61 }, { stepUpMinutes: 1.5 }]) {
      expect((await owner.patch(SETTINGS, body)).status).toBe(400);
    }
  });
});

it('changes of factors take a sign-in of the last hour', async () => {
  await setUpAuthenticator(victim);
  const { id } = await addPasskey(victim);
  const old = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;
  await database().query(old, [victim.id]);
  const app = client({ cookie: victim.cookie });
  const tries = [
    () => app.post(`${FACTORS}/authenticator`),
    () => app.post(`${FACTORS}/authenticator/confirm`, { code: '000000' }),
    () => app.delete(`${FACTORS}/authenticator`),
    () => app.post(`${FACTORS}/passkeys/options`),
    () => app.post(`${FACTORS}/passkeys`, { name: 'Theirs', passkey: {} }),
    () => app.delete(`${FACTORS}/passkeys/${id}`),
    () => app.post(`${FACTORS}/recovery-codes`),
  ];
  for (const attempt of tries) {
    const { status, body } = await attempt();
    expect([status, body.error.code]).toEqual([403, 'confirmation_required']);
  }
  const other = await workspace.person('member');
  expect((await client({ cookie: other.cookie }).delete(`${FACTORS}/passkeys/${id}`)).status).toBe(404);
});
