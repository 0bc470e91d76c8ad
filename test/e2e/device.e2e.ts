import { expect, it } from 'vitest';

import { DEFAULT_SCOPES } from '../../src/core/access/default-scopes.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { App } from '../support/oauth.js';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
const app = (): App => new App('gatehouse-cli', baseUrl());
const poll = (device_code: string) => app().token({ grant_type: GRANT_TYPE, device_code });

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
  const agent = client({ token: body.access_token });
  expect((await agent.get('/v1/runs')).status).toBe(200);
  expect((await agent.get('/v1/scripts')).status).toBe(403);
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
  for (let count = 0; count < 22; count += 1) {
    const { status } = await api.post('/v1/account/device-requests', { userCode: 'BCDF-GHJK' });
    statuses.push(status);
  }
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 404));
  expect(statuses).toContain(429);
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
