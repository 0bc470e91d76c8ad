import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { SCOPES } from '../../src/core/access/scopes.js';
import { EventReader } from '../support/event-stream.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, post, said } from '../support/mcp.js';
import { connect } from '../support/oauth.js';
import { python, run } from '../support/scripts.js';
import { harmlessRequest, send } from './support/matrix/request.js';
import { routesOf } from './support/matrix/route-line.js';
import { ROUTES } from './support/matrix/routes.js';

const LIST = { method: 'tools/list' };
const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();

let workspace: TestWorkspace;
let app: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
  const made = await app.post('/v1/workspace/environments', { name: 'staging' });
  expect(made.status, made.text).toBe(201);
});

const expire = async (token: string): Promise<void> => {
  const { rowCount } = await database().query(
    `UPDATE api_keys SET expires_at = now() WHERE hash = sha256(convert_to($1, 'UTF8'))`,
    [token],
  );
  expect(rowCount).toBe(1);
};

describe('a key with scopes', () => {
  it('gets nowhere with one that no route asks for, on any route of the workspace', async () => {
    // Only `/mcp` asks for this one.
    const key = await workspace.apiKey(null, { scopes: ['mcp'] });
    const headers = { authorization: `Bearer ${key}` };
    const seen: Record<string, number> = {};
    for (const route of routesOf(ROUTES)) {
      if (typeof route.access !== 'object' || route.name === 'POST /mcp') continue;
      const { path, body } = harmlessRequest(route);
      seen[route.name] = (await send(route.method, path, headers, body)).status;
    }
    expect(Object.keys(seen).length).toBeGreaterThan(90);
    const let_in = Object.entries(seen).filter(([, status]) => status !== 403);
    // It judges each event by the scopes, and refuses whoever sees none; a malformed request is refused before.
    expect(let_in.map(([name]) => name)).toEqual(['GET /v1/workspace/events/stream']);
    await expect(EventReader.open(headers)).rejects.toThrow(/^403/);
  });

  it('follows no event that its scopes do not show', async () => {
    const key = await workspace.apiKey(null, { scopes: ['runs:read'] });
    const stream = await EventReader.open({ authorization: `Bearer ${key}` });
    const script = await python(app, 'print(1)');
    await run(app, script);
    await stream.next(({ event }) => event.startsWith('run.'));
    expect(stream.types().every((type) => type.startsWith('run.'))).toBe(true);
    stream.close();
  });

  it('makes no other credential, neither itself nor by a token', async () => {
    const key = client({ token: await workspace.apiKey(null, { scopes: [...SCOPES] }) });
    const token = client({
      token: await workspace.owner.tokenWith({ scopes: [...SCOPES] }),
      workspace: workspace.slug,
    });
    for (const api of [key, token]) {
      for (const [path, body] of [
        ['/v1/workspace/api-keys', { name: 'More' }],
        ['/v1/workspace/api-keys', { name: 'Same', scopes: ['runs:read'] }],
        ['/v1/account/tokens', { name: 'More', scopes: ['runs:read'] }],
      ] as const) {
        expect([path, (await api.post(path, body)).status]).toEqual([path, 403]);
      }
    }
    const asked = { action: 'api_key.create', input: { name: 'Asked' }, reason: 'More' };
    expect((await key.post('/v1/workspace/approval-requests', asked)).status).toBe(403);
  });

  it('gets no further through an agent that it talks to', async () => {
    const key = client({ token: await workspace.apiKey(null, { scopes: ['runs:read'] }) });
    const chat = await key.post('/v1/agents/nobody/chat', { messages: [{ role: 'user', content: 'hi' }] });
    expect([chat.status, chat.body.error.message]).toEqual([403, expect.stringContaining('agents:')]);
  });
});

describe('/mcp without a person', () => {
  it('is closed to keys that were made before there were scopes', async () => {
    const refused = await post(await workspace.apiKey(), LIST);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="mcp"',
    ]);
  });

  it('is closed to every other scope, and to sessions', async () => {
    const others = SCOPES.filter((scope) => scope !== 'mcp');
    const here = { 'x-workspace': workspace.slug };
    const key = await workspace.apiKey(null, { scopes: others });
    const token = await workspace.owner.tokenWith({ scopes: others });
    expect((await post(key, LIST)).status).toBe(403);
    expect((await post(token, LIST, { headers: here })).status).toBe(403);
    const cookie = { cookie: workspace.owner.cookie, ...here };
    expect((await post(null, LIST, { headers: cookie })).status).toBe(403);
  });

  it('gives no app the scope, whatever it asks for', async () => {
    const consent = { workspace: workspace.slug, scopes: ['mcp', 'runs:read'] };
    await expect(connect(workspace.owner, consent)).rejects.toThrow();
  });

  it('shows a bound key the scripts and runs of no other environment', async () => {
    const script = await python(app, 'print(1)');
    const elsewhere = (await run(app, script)).body as Json;
    expect(elsewhere.environment).toBe('production');
    const scopes = ['mcp', 'scripts:read', 'runs:read', 'runs:write', 'files:read'];
    const mcp = await mcpClient(await workspace.apiKey('staging', { scopes }));
    const tool = async (name: string, args: Record<string, unknown>) =>
      said(await mcp.callTool({ name, arguments: args }));
    const { tools } = await mcp.listTools();
    const schema = tools.find(({ name }) => name === 'run_script')!.inputSchema;
    expect(Object.keys(schema.properties ?? {})).not.toContain('environment');
    for (const name of ['get_run', 'wait_for_run', 'list_planned_requests', 'get_run_log']) {
      const found = await tool(name, { runId: elsewhere.id });
      expect([name, found.isError, found.text]).toEqual([name, true, expect.stringMatching(/^not_found: /)]);
    }
    const moved = await tool('run_script', { script: script.slug, environment: 'production' });
    expect([moved.isError, moved.text]).toEqual([true, expect.stringMatching(/^forbidden: /)]);
    await mcp.close();
    const named = await post(await workspace.apiKey('staging', { scopes }), LIST, {
      headers: { 'x-environment': 'production' },
    });
    expect(named.status).toBe(403);
  });

  it('is refused where agents may not run, with whatever token', async () => {
    const script = await python(app, 'print(1)');
    await app.patch('/v1/workspace/environments/staging', { agentsAllowed: false });
    const scopes = ['mcp', 'runs:write'];
    const headers = { 'x-workspace': workspace.slug, 'x-environment': 'staging' };
    for (const [token, sent] of [
      [await workspace.apiKey('staging', { scopes }), {}],
      [await workspace.owner.tokenWith({ scopes }), headers],
    ] as const) {
      const call = { method: 'tools/call', params: { name: script.slug, arguments: {} } };
      const { body } = await post(token, call, { headers: sent });
      expect(said(body.result)).toMatchObject({ isError: true, text: expect.stringMatching(/^forbidden: /) });
    }
    await app.patch('/v1/workspace/environments/staging', { agentsAllowed: true });
  });

  it('lets no model ask for a secret by a token', async () => {
    const token = await workspace.owner.tokenWith({
      scopes: ['mcp', 'workspace.approvals:write', 'workspace.approvals:read'],
    });
    const args = { action: 'api_key.create', input: { name: 'By a model' }, reason: 'More' };
    const call = { method: 'tools/call', params: { name: 'request_approval', arguments: args } };
    const { body } = await post(token, call, { headers: { 'x-workspace': workspace.slug } });
    expect(said(body.result)).toMatchObject({ isError: true, text: expect.stringMatching(/^forbidden: /) });
  });
});

describe('a key that expires', () => {
  it('opens nothing from then on, /mcp included', async () => {
    const key = await workspace.apiKey(null, { scopes: ['mcp', 'runs:read'], expiresAt: IN_A_YEAR });
    expect((await post(key, LIST)).status).toBe(200);
    await expire(key);
    const refused = await post(key, LIST);
    expect(refused.status).toBe(401);
    expect(refused.body.error.message).toContain('This credential ended at ');
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect((await client({ token: key }).get('/v1/runs')).status).toBe(401);
  });

  it('ends the streams that it has open', async () => {
    const key = await workspace.apiKey(null, { scopes: ['runs:read'], expiresAt: IN_A_YEAR });
    const stream = await EventReader.open({ authorization: `Bearer ${key}` });
    await expire(key);
    await stream.end(60_000);
  });

  it('tells no stranger whether it ever was', async () => {
    const key = await workspace.apiKey(null, { expiresAt: IN_A_YEAR });
    await expire(key);
    const guessed = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
    const { status, body } = await client({ token: guessed }).get('/v1/runs');
    expect([status, body.error.message]).toEqual([401, expect.not.stringContaining('ended')]);
  });
});
