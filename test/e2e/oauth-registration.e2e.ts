import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient, type GatehouseProcess, type Json, Seed } from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { baseUrl, client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { App, approve, Browser, connect, REDIRECT_URI } from '../support/oauth.js';

/** Operator's commands begin processes of their own. */
const SLOWLY = { timeout: 300_000, tags: 'slow' };

const register = (metadata: object) => client().post('/oauth/register', metadata);

/** How the service would tell a person who asks. */
async function asking(app: App, redirectUri: string): Promise<Json> {
  const { owner } = await newWorkspace();
  const uid = await app.begin(new Browser(baseUrl(), owner.cookie), { redirect_uri: redirectUri });
  return (await client({ cookie: owner.cookie }).get(`/v1/account/app-requests/${uid}`)).body.app;
}

describe('an app that registers itself', () => {
  it('gets an id and no secret, whatever else it says of itself', async () => {
    const { status, body } = await register({
      client_name: 'My app',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code', 'token'],
      scope: 'openid profile',
      logo_uri: 'https://app.example/logo.png',
      contacts: ['nobody'],
      id_token_signed_response_alg: 'RS256',
      software_id: 'x',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_name: 'My app',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
    });
    for (const field of ['client_secret', 'logo_uri', 'contacts', 'registration_access_token'])
      expect(body).not.toHaveProperty(field);
  });

  it.each([
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'vscode://gatehouse/callback',
    'com.example.app:/back',
  ])('may be a program with a scheme of its own: %s', async (redirectUri) => {
    const app = await App.registered(baseUrl(), { redirect_uris: [redirectUri] });
    expect(await asking(app, redirectUri)).toMatchObject({
      registered: 'dynamic',
      local: true,
      redirectHost: new URL(redirectUri).protocol,
    });
  });

  it('listens at any port of this computer', async () => {
    const app = await App.registered(baseUrl(), {
      redirect_uris: ['http://localhost:3334/oauth/callback', 'https://app.example/callback'],
    });
    const another = 'http://localhost:61000/oauth/callback';
    expect(await asking(app, another)).toMatchObject({ redirectHost: 'localhost:61000', local: true });
    expect(await asking(app, 'https://app.example/callback')).toMatchObject({
      redirectHost: 'app.example',
      local: false,
    });
  });

  it.each(['client_secret_post', 'client_secret_basic'] as const)(
    'has a secret where it asks for one, and has to show it: %s',
    async (method) => {
      const { owner, slug } = await newWorkspace();
      const { body } = await register({
        client_name: 'Web app',
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: method,
      });
      expect(body.client_secret).toMatch(/^[\w-]{43,}$/);
      const app = new App(body.client_id, baseUrl());
      const code = async () =>
        (await app.code(new Browser(baseUrl(), owner.cookie), { workspace: slug })).get('code')!;
      expect((await app.exchange(await code())).body.error).toBe('invalid_client');
      const exchange = {
        grant_type: 'authorization_code',
        code: await code(),
        code_verifier: app.verifier,
        redirect_uri: REDIRECT_URI,
      };
      const basic = Buffer.from(`${app.clientId}:${body.client_secret}`).toString('base64');
      const answer =
        method === 'client_secret_basic'
          ? await client().post('/oauth/token', new URLSearchParams(exchange).toString(), {
              'content-type': 'application/x-www-form-urlencoded',
              authorization: `Basic ${basic}`,
            })
          : await app.token({ ...exchange, client_secret: body.client_secret });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
  );

  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  it.each(
    [
      nested(2),
      nested(5_000),
      deep(2),
      deep(5_000),
      '{"toString":1}',
      '{"length":-1}',
      '[null]',
      '[{}]',
    ].flatMap((value) =>
      [
        'client_name',
        'redirect_uris',
        'grant_types',
        'response_types',
        'scope',
        'jwks',
        'token_endpoint_auth_method',
        'application_type',
        'software_id',
        'client_uri',
        'contacts',
        'jwks_uri',
        'default_max_age',
        'client_id',
        'post_logout_redirect_uris',
        '__proto__',
        'constructor',
      ].map((field) => [field, value.slice(0, 20), value] as const),
    ),
  )('is refused or taken, whatever is nested in what it says of itself: %s %s', async (field, _, value) => {
    const uris = field === 'redirect_uris' ? '' : `"redirect_uris":["${REDIRECT_URI}"],`;
    const { status, text } = await client().post('/oauth/register', `{${uris}"${field}":${value}}`);
    expect([201, 400], text).toContain(status);
  });

  it.each([nested(50_000), deep(50_000), 'null', '1', '"x"', '[]', '', '{'])(
    'is refused where it says that: %.20s',
    async (body) => {
      const { status, text } = await client().post('/oauth/register', body);
      expect(status, text).toBe(400);
    },
  );

  it('is kept for a day, and once somebody has connected it, for as long as it is connected', async () => {
    const daysOf = async (clientId: string): Promise<number> => {
      const { rows } = await database().query(
        `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM oauth_artifacts
         WHERE kind = 'Client' AND hash = sha256(convert_to($1, 'UTF8'))`,
        [clientId],
      );
      return Math.round(Number(rows[0].days));
    };
    const app = await App.registered();
    expect(await daysOf(app.clientId)).toBe(1);
    const { owner, slug } = await newWorkspace();
    const uid = await app.begin(new Browser(baseUrl(), owner.cookie));
    await approve(new Browser(baseUrl(), owner.cookie), uid, { workspace: slug });
    expect(await daysOf(app.clientId)).toBe(30);
  });

  it('is shown among the connected apps with where it takes the consent', async () => {
    const { owner, slug } = await newWorkspace();
    await connect(owner, { workspace: slug });
    const { body } = await client({ cookie: owner.cookie }).get('/v1/account/apps');
    expect(body.items).toMatchObject([
      { registered: 'dynamic', host: null, redirectHost: '127.0.0.1:53123' },
    ]);
  });
});

describe('where apps may not register', () => {
  let gatehouse: GatehouseProcess & { databaseUrl: string };
  let pool: pg.Pool;
  beforeAll(async () => {
    gatehouse = await startGatehouse({
      env: { GATEHOUSE_OAUTH_REGISTRATION: 'off', GATEHOUSE_SIGNUP: 'open' },
    });
    pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 4 });
  });
  afterAll(async () => {
    await pool?.end();
    await gatehouse?.stop();
  });

  const admin = (...args: string[]) =>
    runAdmin(args, { DATABASE_URL: gatehouse.databaseUrl, GATEHOUSE_DATA: gatehouse.dataDirectory });
  const told = async (...args: string[]): Promise<Json> => {
    const { code, stdout, stderr } = await admin(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('says so, and refuses it', async () => {
    const metadata = await fetch(`${gatehouse.baseUrl}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).not.toHaveProperty('registration_endpoint');
    const answer = await fetch(`${gatehouse.baseUrl}/oauth/register`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
  });

  it('takes the apps that the operator adds, for as long as they are not removed', SLOWLY, async () => {
    const { clientId, secret } = await told(
      'clients',
      'add',
      'Our app',
      '--redirect',
      REDIRECT_URI,
      '--secret',
    );
    expect(await told('clients', 'list')).toMatchObject([
      { clientId, name: 'Our app', redirectUris: [REDIRECT_URI], hasSecret: true },
    ]);
    const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
    const api = createClient({ baseUrl: gatehouse.baseUrl, cookie: owner.cookie });
    const app = new App(clientId, gatehouse.baseUrl);
    const browser = new Browser(gatehouse.baseUrl, owner.cookie);
    const uid = await app.begin(browser);
    expect((await api.get(`/v1/account/app-requests/${uid}`)).body.app).toMatchObject({
      name: 'Our app',
      registered: 'operator',
    });
    const code = (await app.code(browser, { workspace: slug })).get('code')!;
    const tokens = await app.exchange(code, { client_secret: secret });
    expect(tokens.status).toBe(200);
    expect((await api.get('/v1/account/apps')).body.items).toMatchObject([{ registered: 'operator' }]);
    expect(await told('clients', 'remove', clientId)).toEqual({ clientId, grants: 1 });
    const byApp = createClient({ baseUrl: gatehouse.baseUrl, token: tokens.body.access_token });
    expect((await byApp.get('/v1/runs')).status).toBe(401);
    expect((await browser.get(app.authorizationUrl())).headers.get('location')).toContain('invalid_client');
    const again = await admin('clients', 'remove', clientId);
    expect([again.code, again.stderr]).toEqual([1, `No app was added with the client id ${clientId}.\n`]);
  });

  it('says what is wrong with an app that is added', SLOWLY, async () => {
    const { code, stderr } = await admin('clients', 'add', 'Our app', '--redirect', 'http://app.example/');
    expect([code, stderr]).toEqual([
      1,
      'redirect_uris: http: is for this computer alone (localhost, 127.0.0.1, [::1]); use https:.\n',
    ]);
  });
});
