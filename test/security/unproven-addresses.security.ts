import { randomInt, randomUUID } from 'node:crypto';

import { createClient, type TestGatehouse, startGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import companyLogin from '../../examples/company-login/company-login.extension.js';
import type { Client } from '../../libs/testing/index.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { connect } from '../support/oauth.js';
import { RogueProvider } from './support/rogue-provider.js';

const PASSWORD = 'a password of the inviter';
const SECURED = '/account-secured';

describe('an account whose address nobody has proved', () => {
  let provider: RogueProvider;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    provider = await new RogueProvider().listen();
    gatehouse = await startWith(provider);
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await provider?.close();
  });

  /** As whoever may invite: takes the link, which is in the response, and makes the account of a colleague with it. */
  const takeFirst = async (role: string) => {
    const { api, workspace } = gatehouse;
    const email = newEmail();
    const inviter = api.as(await workspace.person('admin'));
    const invited = await inviter.post('/v1/workspace/invitations', { email, role });
    expect(invited.status, invited.text).toBe(201);
    const accepted = await acceptAnew(gatehouse, invited.body.link as string);
    expect(accepted.status, accepted.text).toBe(200);
    const cookie = cookieOf(accepted.headers)!;
    return { id: accepted.body.id as string, email, cookie, app: api.as({ ...workspace.owner, cookie }) };
  };

  it('is not left to whoever has accepted the invitation for it', async () => {
    const { api, workspace } = gatehouse;
    const { id, email, cookie, app } = await takeFirst('admin');
    const token = (await app.post('/v1/account/tokens', { name: 'Mine', scopes: ['workspace:read'] })).body
      .token as string;
    const key = (await app.post('/v1/workspace/api-keys', { name: "The workspace's" })).body.key as string;
    const connected = await connect({ cookie }, { workspace: workspace.slug }, gatehouse.baseUrl);
    const accomplice = { email: newEmail(), role: 'admin' };
    const { link } = (await app.post('/v1/workspace/invitations', accomplice)).body;

    const first = await signIn(gatehouse, provider, { email });
    expect(first.me).toMatchObject({ id, email });
    expect(new URL(first.location).pathname).toBe(SECURED);
    const opens: [string, Client][] = [
      ['the session', app],
      ['the token', api.as(token)],
      ['the app', api.as(connected.access_token)],
    ];
    for (const [what, credential] of opens) {
      expect((await credential.get('/v1/workspace')).status, what).toBe(401);
    }
    const login = await browser(gatehouse).post('/v1/auth/login', { email, password: PASSWORD });
    expect(login.status).toBe(401);
    expect((await connected.app.refresh(connected.refresh_token)).body.error).toBe('invalid_grant');
    expect((await acceptAnew(gatehouse, link as string)).status).toBe(400);
    // A key is the workspace's.
    expect((await api.as(key).get('/v1/workspace')).status).toBe(200);

    const { body } = await api
      .as(workspace.owner)
      .get('/v1/workspace/audit-events?action=user.credentials_ended');
    expect(body.items).toMatchObject([{ target: { type: 'user', id } }]);
    const details = 'SELECT details FROM audit_events WHERE id = $1';
    expect((await gatehouse.database.query(details, [body.items[0].id])).rows).toEqual([
      {
        details: {
          by: 'company-login',
          password: true,
          secondFactor: false,
          sessions: 1,
          tokens: 1,
          apps: 1,
        },
      },
    ]);
  });

  it('is its person’s from then on, who keeps what they make', async () => {
    const { email } = await takeFirst('member');
    const sub = randomUUID();
    const first = await signIn(gatehouse, provider, { email, sub });
    const app = createClient({ baseUrl: gatehouse.baseUrl, cookie: first.session! });
    const made = await app.post('/v1/account/tokens', { name: 'Mine', scopes: ['workspace:read'] });
    expect(made.status, made.text).toBe(201);
    const again = await signIn(gatehouse, provider, { email, sub });
    expect(new URL(again.location).pathname).toBe('/');
    expect((await gatehouse.api.as(made.body.token as string).get('/v1/workspace')).status).toBe(200);
    expect((await app.get('/v1/auth/session')).status).toBe(200);
  });

  it('gives out no token at the very moment at which its person comes', async () => {
    const { id, email, app } = await takeFirst('member');
    let over = false;
    const tokens: string[] = [];
    const makeTokens = async (): Promise<void> => {
      while (!over) {
        const { status, body } = await app.post('/v1/account/tokens', { name: 'M', scopes: ['runs:read'] });
        if (status === 201) tokens.push(body.token as string);
      }
    };
    const makers = Array.from({ length: 8 }, makeTokens);
    await expect.poll(() => tokens.length).toBeGreaterThan(0);
    expect((await signIn(gatehouse, provider, { email })).me).toMatchObject({ id });
    over = true;
    await Promise.all(makers);
    const live = 'SELECT FROM personal_tokens WHERE user_id = $1 AND revoked_at IS NULL';
    expect((await gatehouse.database.query(live, [id])).rows).toHaveLength(0);
  });

  it('invites nobody at the very moment at which its person comes', async () => {
    const { email, app } = await takeFirst('admin');
    const scopes = ['workspace.members:write'];
    const { token } = (await app.post('/v1/account/tokens', { name: 'Mine', scopes })).body;
    const byToken = gatehouse.api.as(token as string);
    let over = false;
    const links: string[] = [];
    const invite = async (api: Client): Promise<void> => {
      while (!over) {
        const { status, body } = await api.post('/v1/workspace/invitations', {
          email: newEmail(),
          role: 'admin',
        });
        if (status === 201) links.push(body.link as string);
      }
    };
    const inviters = [app, byToken].flatMap((api) => Array.from({ length: 6 }, () => invite(api)));
    await expect.poll(() => links.length).toBeGreaterThan(0);
    await signIn(gatehouse, provider, { email });
    over = true;
    await Promise.all(inviters);
    const open = await Promise.all(
      links.map((link) => browser(gatehouse).get(`/v1/invitations/${link.split('/').at(-1)}`)),
    );
    expect(open.filter(({ status }) => status === 200)).toEqual([]);
  });

  it('is another one than that of somebody who came by the provider, or by a mail, before', async () => {
    const { api, workspace } = gatehouse;
    const person = await workspace.person('member');
    expect((await signIn(gatehouse, provider, { email: person.email })).me).toMatchObject({ id: person.id });
    expect((await api.as(person.token).get('/v1/workspace')).status).toBe(200);
    expect((await api.as(person).get('/v1/workspace')).status).toBe(200);
  });
});

describe('with a mail server, an account whose address nobody has proved', () => {
  let provider: RogueProvider;
  let smtp: MailServer;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    [provider, smtp] = await Promise.all([new RogueProvider().listen(), startMailServer()]);
    gatehouse = await startWith(provider, { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await smtp?.stop();
    await provider?.close();
  });

  /** As one that was made before there was a mail server. */
  const unproven = async () => {
    const person = await gatehouse.workspace.person('member');
    await gatehouse.database.query('UPDATE users SET email_proven_at = NULL WHERE id = $1', [person.id]);
    return person;
  };
  const mailTo = async (email: string, about: RegExp): Promise<string> => {
    const found = await expect
      .poll(() => smtp.mails.find(({ to, text }) => to.includes(email) && about.test(text)))
      .toBeDefined()
      .then(() => smtp.mails.find(({ to, text }) => to.includes(email) && about.test(text))!);
    return about.exec(found.text.replace(/\r/g, ''))![1]!;
  };

  it('is told of what has ended when its person comes by the provider', async () => {
    const { email, token } = await unproven();
    const { location } = await signIn(gatehouse, provider, { email });
    expect(new URL(location).pathname).toBe(SECURED);
    expect((await gatehouse.api.as(token).get('/v1/workspace')).status).toBe(401);
    expect(await mailTo(email, /(no longer open it)/)).toBeDefined();
  });

  it('loses everything else when somebody who can read its mail sets a password', async () => {
    const { email, token, cookie } = await unproven();
    expect((await browser(gatehouse).post('/v1/auth/forgot', { email })).status).toBe(204);
    const link = await mailTo(email, /\/reset-password\/(\w+)/);
    const reset = await browser(gatehouse).post('/v1/auth/reset', { token: link, password: 'mine at last' });
    expect(reset.status, reset.text).toBe(204);
    expect((await gatehouse.api.as(token).get('/v1/workspace')).status).toBe(401);
    expect((await browser(gatehouse).get('/v1/auth/session', { cookie })).status).toBe(401);
    const login = await browser(gatehouse).post('/v1/auth/login', { email, password: 'mine at last' });
    expect(login.status).toBe(200);
    // It is proved by now: the provider ends nothing more.
    const { location } = await signIn(gatehouse, provider, { email });
    expect(new URL(location).pathname).toBe('/');
    const session = { cookie: cookieOf(login.headers)! };
    expect((await browser(gatehouse).get('/v1/auth/session', session)).status).toBe(200);
  });

  it('is not what a mailed invitation makes', async () => {
    const { api, workspace } = gatehouse;
    const email = newEmail();
    await api.as(workspace.owner).post('/v1/workspace/invitations', { email });
    const link = await mailTo(email, /^(http\S+\/invitations\/\S+)$/m);
    const cookie = cookieOf((await acceptAnew(gatehouse, link)).headers)!;
    expect(new URL((await signIn(gatehouse, provider, { email })).location).pathname).toBe('/');
    expect((await browser(gatehouse).get('/v1/auth/session', { cookie })).status).toBe(200);
  });
});

function startWith(
  { issuer }: RogueProvider,
  env: Readonly<Record<string, string>> = {},
): Promise<TestGatehouse> {
  const client = { issuer, clientId: 'gatehouse', clientSecret: 'secret' };
  return startGatehouse({
    extensions: [companyLogin({ ...client, domains: 'acme.example,example.com', workspace: 'acme' })],
    env: {
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
      GATEHOUSE_TRUST_PROXY: '127.0.0.1',
      ...env,
    },
  });
}

const newEmail = (): string => `${randomUUID()}@acme.example`;

/** Another one each time, at an address of its own. */
function browser({ baseUrl }: TestGatehouse): Client {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return createClient({ baseUrl, headers: { 'x-forwarded-for': address } });
}

function cookieOf(headers: Headers): string | undefined {
  const line = headers.getSetCookie().find((each) => each.startsWith('gatehouse_session='));
  return line?.split(';')[0];
}

function acceptAnew(gatehouse: TestGatehouse, link: string) {
  const token = link.split('/').at(-1);
  return browser(gatehouse).post(`/v1/invitations/${token}/accept`, { name: 'The CEO', password: PASSWORD });
}

/** At the company's provider, which says that. */
async function signIn(gatehouse: TestGatehouse, provider: RogueProvider, claims: object) {
  const said = { sub: randomUUID(), email_verified: true, name: 'Ada', groups: ['gatehouse-users'] };
  provider.claims = { ...said, ...claims };
  const begun = await browser(gatehouse).post('/v1/auth/ways/company-login/start', {});
  const redirectTo = begun.body.redirectTo as string;
  const query = new URLSearchParams({
    code: provider.codeFor(redirectTo),
    state: new URL(redirectTo).searchParams.get('state')!,
    iss: provider.issuer,
  });
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
  const path = `/v1/auth/ways/company-login/callback?${query.toString()}`;
  const { headers } = await browser(gatehouse).get(path, { cookie });
  const session = cookieOf(headers) ?? null;
  const me = session && (await browser(gatehouse).get('/v1/auth/session', { cookie: session })).body;
  return { location: headers.get('location')!, session, me };
}
