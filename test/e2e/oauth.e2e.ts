import { describe, expect, it } from 'vitest';

import { DEFAULT_SCOPES } from '../../src/core/access/default-scopes.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { App, approve, Browser, connect, REDIRECT_URI } from '../support/oauth.js';

const anybody = client();

describe('what clients find', () => {
  it('says where everything is', async () => {
    const { status, body, headers } = await anybody.get('/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toMatchObject({
      issuer: baseUrl(),
      authorization_endpoint: `${baseUrl()}/oauth/authorize`,
      token_endpoint: `${baseUrl()}/oauth/token`,
      registration_endpoint: `${baseUrl()}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect((await anybody.get('/.well-known/openid-configuration')).body).toEqual(body);
    for (const path of ['/oauth-protected-resource', '/oauth-protected-resource/mcp']) {
      expect((await anybody.get(`/.well-known${path}`)).body).toMatchObject({
        resource: `${baseUrl()}/mcp`,
        authorization_servers: [baseUrl()],
        scopes_supported: DEFAULT_SCOPES,
      });
    }
  });

  it('takes only the methods that it has', async () => {
    const answer = await anybody.get('/oauth/token');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('connecting an app', () => {
  it('gives it tokens for what the person granted, in that workspace', async () => {
    const { owner, slug } = await newWorkspace();
    const app = await App.registered();
    const browser = new Browser(baseUrl(), owner.cookie);
    const uid = await app.begin(browser);
    const asking = client({ cookie: owner.cookie });
    const { body } = await asking.get(`/v1/account/app-requests/${uid}`);
    expect(body).toMatchObject({
      id: uid,
      app: {
        name: 'An app',
        clientId: app.clientId,
        host: null,
        redirectHost: '127.0.0.1:53123',
        local: true,
        registered: 'dynamic',
      },
      workspaces: [{ slug, role: 'owner', environments: ['production'] }],
    });
    const redirectTo = await approve(browser, uid, {
      workspace: slug,
      scopes: ['workspace:read', 'runs:read'],
    });
    const back = await browser.get(redirectTo);
    expect(back.status).toBe(303);
    const address = new URL(back.headers.get('location')!);
    expect(address.origin + address.pathname).toBe(REDIRECT_URI);
    expect(address.searchParams.get('iss')).toBe(baseUrl());
    expect(address.searchParams.get('state')).toBe(app.state);
    const tokens = await app.exchange(address.searchParams.get('code')!);
    expect(tokens.status).toBe(200);
    expect(tokens.headers.get('cache-control')).toBe('no-store');
    expect(tokens.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'workspace:read runs:read',
      access_token: expect.stringMatching(/^svc_oat_/),
      refresh_token: expect.stringMatching(/^svc_ort_/),
    });
    const agent = client({ token: tokens.body.access_token });
    expect((await agent.get('/v1/workspace')).body.slug).toBe(slug);
    expect((await agent.get('/v1/runs')).status).toBe(200);
    expect((await agent.get('/v1/scripts')).status).toBe(403);
    const elsewhere = await agent.get('/v1/workspace', { 'x-workspace': (await newWorkspace()).slug });
    expect(elsewhere.status).toBe(403);
    const audit = await client({ cookie: owner.cookie, workspace: slug }).get('/v1/workspace/audit-events');
    expect(audit.body.items[0]).toMatchObject({ action: 'app.connected', actorType: 'user' });
  });

  it('asks for the usual where the app does not say what it wants', async () => {
    const { owner } = await newWorkspace();
    const app = await App.registered();
    const uid = await app.begin(new Browser(baseUrl(), owner.cookie), { scope: undefined });
    const { body } = await client({ cookie: owner.cookie }).get(`/v1/account/app-requests/${uid}`);
    expect([...body.scopes].sort()).toEqual([...DEFAULT_SCOPES].sort());
  });

  it('begins signed out and goes on signed in, also where the app wants a fresh sign-in', async () => {
    const { owner, slug } = await newWorkspace();
    for (const prompt of [undefined, 'login', 'consent']) {
      const app = await App.registered();
      const browser = new Browser(baseUrl(), null);
      const uid = await app.begin(browser, { prompt });
      browser.session = owner.cookie;
      const back = await browser.get(await approve(browser, uid, { workspace: slug }));
      const code = new URL(back.headers.get('location')!).searchParams.get('code');
      expect((await app.exchange(code!)).status).toBe(200);
    }
  });

  it('tells the app of a no', async () => {
    const { owner } = await newWorkspace();
    const app = await App.registered();
    const browser = new Browser(baseUrl(), owner.cookie);
    const uid = await app.begin(browser);
    const api = client({ cookie: owner.cookie });
    const { body } = await api.post(`/v1/account/app-requests/${uid}/deny`);
    const back = await browser.get(body.redirectTo);
    const parameters = new URL(back.headers.get('location')!).searchParams;
    expect([parameters.get('error'), parameters.get('code')]).toEqual(['access_denied', null]);
    expect((await api.post(`/v1/account/app-requests/${uid}/approve`, {})).status).toBe(400);
    expect((await api.get(`/v1/account/app-requests/${uid}`)).status).toBe(404);
  });

  it('refuses a place or scopes that cannot be granted, and decides once', async () => {
    const { owner, slug } = await newWorkspace();
    const stranger = await newWorkspace();
    const app = await App.registered();
    const browser = new Browser(baseUrl(), owner.cookie);
    const uid = await app.begin(browser, { scope: 'runs:read runs:write' });
    const api = client({ cookie: owner.cookie });
    const path = `/v1/account/app-requests/${uid}/approve`;
    const pathOf = async (input: object): Promise<string> =>
      (await api.post(path, { workspace: slug, scopes: ['runs:read'], ...input })).body.error.details[0].path;
    expect(await pathOf({ workspace: stranger.slug })).toBe('workspace');
    expect(await pathOf({ environment: 'nowhere' })).toBe('environment');
    expect(await pathOf({ scopes: ['runs:read', 'files:read'] })).toBe('scopes.1');
    expect(await pathOf({ scopes: [] })).toBe('scopes');
    const other = client({ cookie: stranger.owner.cookie });
    expect((await other.get(`/v1/account/app-requests/${uid}`)).status).toBe(404);
    expect((await other.post(path, { workspace: stranger.slug, scopes: ['runs:read'] })).status).toBe(404);
    expect((await api.post(path, { workspace: slug, scopes: ['runs:read'] })).status).toBe(200);
    expect((await api.post(path, { workspace: slug, scopes: ['runs:read'] })).status).toBe(409);
  });

  it('binds it to one environment, where the person says so', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ cookie: owner.cookie, workspace: slug });
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const { access_token: token } = await connect(owner, { workspace: slug, environment: 'staging' });
    const agent = client({ token });
    expect((await agent.get('/v1/runs')).status).toBe(200);
    expect((await agent.get('/v1/runs', { 'x-environment': 'production' })).status).toBe(403);
    await api.delete('/v1/workspace/environments/staging');
    expect((await agent.get('/v1/runs')).status).toBe(401);
  });
});

describe('connected apps', () => {
  it('are listed, and end at once', async () => {
    const { owner, slug } = await newWorkspace();
    const api = client({ cookie: owner.cookie });
    const { access_token: token, refresh_token: refresh, app } = await connect(owner, { workspace: slug });
    const { body } = await api.get('/v1/account/apps');
    expect(body.items).toEqual([
      expect.objectContaining({ name: 'An app', host: null, environment: null, lastUsedAt: null }),
    ]);
    const [{ id }] = body.items;
    expect(id).toMatch(/^gra_/);
    const agent = client({ token });
    expect((await agent.get('/v1/runs')).status).toBe(200);
    const stranger = client({ cookie: (await newWorkspace()).owner.cookie });
    expect((await stranger.delete(`/v1/account/apps/${id}`)).status).toBe(404);
    expect((await api.delete(`/v1/account/apps/${id}`)).status).toBe(204);
    expect((await agent.get('/v1/runs')).status).toBe(401);
    expect((await app.refresh(refresh)).body.error).toBe('invalid_grant');
    expect((await api.get('/v1/account/apps')).body.items).toEqual([]);
    expect((await api.delete(`/v1/account/apps/${id}`)).status).toBe(404);
    const audit = await client({ cookie: owner.cookie, workspace: slug }).get('/v1/workspace/audit-events');
    expect(audit.body.items[0].action).toBe('app.disconnected');
  });

  it('get new tokens by the refresh token, each of which works once', async () => {
    const { owner, slug } = await newWorkspace();
    const { access_token: first, refresh_token: refresh, app } = await connect(owner, { workspace: slug });
    const second = await app.refresh(refresh);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(refresh);
    const agent = client({ token: second.body.access_token });
    expect((await agent.get('/v1/runs')).status).toBe(200);
    // Somebody comes with the old one: nobody knows which of the two is the app.
    expect((await app.refresh(refresh)).body.error).toBe('invalid_grant');
    expect((await agent.get('/v1/runs')).status).toBe(401);
    expect((await client({ token: first }).get('/v1/runs')).status).toBe(401);
    expect((await app.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
    const audit = await client({ cookie: owner.cookie, workspace: slug }).get('/v1/workspace/audit-events');
    expect(audit.body.items[0]).toMatchObject({ action: 'app.disconnected', actorType: 'system' });
  });

  it('can give back what they were granted', async () => {
    const { owner, slug } = await newWorkspace();
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await connect(owner, { workspace: slug });
      const { app } = tokens;
      const answer = await app.form('/oauth/revoke', { client_id: app.clientId, token: tokens[which] });
      expect(answer.status).toBe(200);
      expect((await client({ token: tokens.access_token }).get('/v1/runs')).status).toBe(401);
      expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    }
    expect((await client({ cookie: owner.cookie }).get('/v1/account/apps')).body.items).toEqual([]);
  });
});

describe('an app that is bound to one environment', () => {
  it('sees no more files there than its person, and none elsewhere', async () => {
    const { owner, slug, person } = await newWorkspace();
    await client({ cookie: owner.cookie, workspace: slug }).post('/v1/workspace/environments', {
      name: 'staging',
    });
    const upload = async (by: { cookie: string }, environment: string): Promise<string> => {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'x.txt');
      const api = client({ cookie: by.cookie, workspace: slug, environment });
      const { status, body, text } = await api.post('/v1/files', form);
      expect(status, text).toBe(201);
      return body.id;
    };
    const ownersFile = await upload(owner, 'staging');
    for (const role of ['member', 'guest'] as const) {
      const one = await person(role);
      const here = await upload(one, 'staging');
      const elsewhere = await upload(one, 'production');
      const { access_token: token } = await connect(one, { workspace: slug, environment: 'staging' });
      const agent = client({ token });
      const { body } = await agent.get('/v1/files');
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual([here]);
      expect((await agent.get(`/v1/files/${here}`)).status).toBe(200);
      expect((await agent.get(`/v1/files/${elsewhere}`)).status).toBe(404);
      expect((await agent.get(`/v1/files/${ownersFile}`)).status).toBe(404);
      expect((await agent.delete(`/v1/files/${elsewhere}`)).status).toBe(404);
    }
    const { access_token: token } = await connect(owner, { workspace: slug, environment: 'staging' });
    expect((await client({ token }).get('/v1/files')).body.items).toHaveLength(3);
  });
});
