import { describe, expect, it } from 'vitest';

import { DEFAULT_SCOPES } from '../../src/core/access/default-scopes.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { App, DEVICE_GRANT, signInCommandLine } from '../support/oauth.js';
import { python, run } from '../support/scripts.js';

const app = (): App => new App('gatehouse-cli', baseUrl());
const poll = (device_code: string) => app().token({ grant_type: DEVICE_GRANT, device_code });

async function asked(): Promise<{ device_code: string; user_code: string }> {
  const { status, body } = await app().form('/oauth/device', { client_id: 'gatehouse-cli' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    verification_uri: `${baseUrl()}/device`,
    verification_uri_complete: `${baseUrl()}/device?user_code=${body.user_code}`,
    expires_in: 600,
  });
  return body;
}

it('connects a device by the code that it shows', async () => {
  const { owner, slug } = await newWorkspace();
  const { device_code, user_code } = await asked();
  expect((await poll(device_code)).body.error).toBe('authorization_pending');
  const api = client({ cookie: owner.cookie });
  const typed = user_code.toLowerCase().replace('-', ' ');
  const { body: request } = await api.post('/v1/account/device-requests', { userCode: typed });
  expect(request).toMatchObject({
    app: { name: 'Gatehouse command line', registered: 'built_in', redirectHost: null, local: false },
    userCode: user_code,
    workspaces: [{ slug }],
  });
  expect([...request.scopes].sort()).toEqual([...DEFAULT_SCOPES].sort());
  const input = { userCode: request.id, workspace: slug, scopes: ['runs:read'] };
  const approved = await api.post('/v1/account/device-requests/approve', input);
  expect([approved.status, approved.body]).toEqual([200, { redirectTo: null }]);
  expect((await api.post('/v1/account/device-requests/approve', input)).status).toBe(404);
  const { status, body } = await poll(device_code);
  expect(status).toBe(200);
  expect(body.scope).toBe('runs:read');
  expect(body.access_token).toMatch(/^svc_clt_/);
  const commandLine = client({ token: body.access_token, workspace: slug });
  expect((await commandLine.get('/v1/runs')).status).toBe(200);
  expect((await commandLine.get('/v1/scripts')).status).toBe(403);
  expect((await app().refresh(body.refresh_token)).status).toBe(200);
  expect((await poll(device_code)).body.error).toBe('invalid_grant');
});

it('tells the device of a no', async () => {
  const { owner } = await newWorkspace();
  const { device_code, user_code } = await asked();
  const api = client({ cookie: owner.cookie });
  expect((await api.post('/v1/account/device-requests/deny', { userCode: user_code })).status).toBe(200);
  expect((await poll(device_code)).body.error).toBe('access_denied');
});

it('lets nobody try codes', async () => {
  const { owner } = await newWorkspace();
  const api = client({ cookie: owner.cookie });
  const statuses: number[] = [];
  while (statuses.length < 200 && !statuses.includes(429)) {
    const { status } = await api.post('/v1/account/device-requests', { userCode: 'BCDF-GHJK' });
    statuses.push(status);
  }
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 404));
  expect(statuses.at(-1)).toBe(429);
});

it('refuses what a device cannot ask for', async () => {
  const unknown = await app().form('/oauth/device', { client_id: 'nobody' });
  expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client']);
  const elsewhere = await app().form('/oauth/device', {
    client_id: 'gatehouse-cli',
    resource: 'https://elsewhere.example/mcp',
  });
  expect([elsewhere.status, elsewhere.body.error]).toEqual([400, 'invalid_target']);
  expect((await poll('made up')).body.error).toBe('invalid_grant');
});

it('connects an agent by its code, too', async () => {
  const { owner, slug } = await newWorkspace();
  const agent = await App.registered(baseUrl(), {
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    response_types: [],
    redirect_uris: [],
  });
  const { body } = await agent.form('/oauth/device', { client_id: agent.clientId });
  const input = { userCode: body.user_code, workspace: slug, scopes: ['runs:read'] };
  await client({ cookie: owner.cookie }).post('/v1/account/device-requests/approve', input);
  const tokens = await agent.token({ grant_type: DEVICE_GRANT, device_code: body.device_code });
  expect(tokens.body.access_token).toMatch(/^svc_oat_/);
  expect((await client({ token: tokens.body.access_token }).get('/v1/runs')).status).toBe(200);
});

describe('the command line', () => {
  it('acts as its person: its runs are its own, and held by no policy for agents', async () => {
    const { owner, slug } = await newWorkspace();
    const { access_token: token } = await signInCommandLine(owner, { workspace: slug });
    const commandLine = client({ token, workspace: slug });
    const script = await python(commandLine, 'print(1)');
    await commandLine.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'agents' });
    const started = await commandLine.post(`/v1/scripts/${script.slug}/runs`, { via: 'cli' });
    expect(started.status, started.text).toBe(200);
    expect(started.body).toMatchObject({
      status: 'succeeded',
      interface: 'cli',
      startedBy: { userId: owner.id, credentialType: 'pat', credentialName: 'Gatehouse command line' },
    });
    const agent = await run(client({ token: await owner.agent() }), script);
    expect(agent.body).toMatchObject({ status: 'awaiting_approval', interface: 'mcp' });
  });

  it('asks for a secret, and redeems it', async () => {
    const { owner, slug } = await newWorkspace();
    const { access_token: token } = await signInCommandLine(owner, { workspace: slug });
    const commandLine = client({ token, workspace: slug });
    const request = await commandLine.post('/v1/workspace/approval-requests', {
      action: 'api_key.create',
      input: { name: 'Nightly' },
      reason: 'For the nightly export.',
    });
    expect(request.body).toMatchObject({ status: 'pending', secret: { envVar: 'GATEHOUSE_API_KEY' } });
    const path = `/v1/workspace/approval-requests/${request.body.id}`;
    await client({ cookie: owner.cookie, workspace: slug }).post(`${path}/approve`);
    const other = await signInCommandLine(owner, { workspace: slug });
    const stranger = client({ token: other.access_token, workspace: slug });
    expect((await stranger.post(`${path}/redeem`)).status).toBe(404);
    const redeemed = await commandLine.post(`${path}/redeem`);
    expect(redeemed.body.secret).toMatch(/^svc_sk_/);
  });

  it('sees its one workspace, and signs itself out', async () => {
    const { owner, slug } = await newWorkspace();
    const elsewhere = `${slug}-2`;
    await client({ cookie: owner.cookie }).post('/v1/workspaces', { name: 'Two', slug: elsewhere });
    const { access_token: token, refresh_token } = await signInCommandLine(owner, { workspace: slug });
    const commandLine = client({ token, workspace: slug });
    const me = await commandLine.get('/v1/user/me');
    expect(me.body).toMatchObject({ id: owner.id, workspaces: [{ slug }] });
    expect(me.body.workspaces).toHaveLength(1);
    expect((await client({ token, workspace: elsewhere }).get('/v1/workspace')).status).toBe(403);
    const apps = await client({ cookie: owner.cookie }).get('/v1/account/apps');
    expect(apps.body.items).toMatchObject([{ name: 'Gatehouse command line', workspace: { slug } }]);
    expect((await commandLine.delete('/v1/user/token')).status).toBe(204);
    expect((await commandLine.get('/v1/user/me')).status).toBe(401);
    expect((await new App('gatehouse-cli', baseUrl()).refresh(refresh_token)).status).toBe(400);
  });

  it('is no agent to the tools for agents', async () => {
    const { owner, slug } = await newWorkspace();
    const { access_token: token } = await signInCommandLine(owner, { workspace: slug });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const answer = await client({ token, workspace: slug }).post('/mcp', call, {
      accept: 'application/json, text/event-stream',
    });
    expect(answer.status).toBe(403);
  });
});
