import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { Client as Api, GatehouseProcess, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { listen, type Listening, post } from '../support/mcp.js';
import { newVersion, newSlug, python } from '../support/scripts.js';

const CHANGED = 'notifications/tools/list_changed';

let workspace: TestWorkspace;
let api: Api;
let agent: string;
const open: Listening[] = [];

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  agent = await workspace.owner.agent();
});

afterAll(() => open.forEach((stream) => stream.close()));

async function listening(token = agent, url = baseUrl()): Promise<Listening> {
  const stream = await listen(token, url);
  open.push(stream);
  expect((await stream.next()).method).toBe('notifications/subscriptions/acknowledged');
  return stream;
}

describe('a client that listens', () => {
  it('is told of each change of its tools, whatever it is', async () => {
    const stream = await listening();
    const { slug } = await python(api, 'print(1)', { command: 'python main.py' });
    expect((await stream.next()).method).toBe(CHANGED);
    const app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    const team = (await app.post('/v1/workspace/teams', { name: 'Readers' })).body;
    const changes: (() => Promise<unknown>)[] = [
      () => api.patch(`/v1/scripts/${slug}`, { name: 'Another name' }),
      () => app.put(`/v1/workspace/teams/${team.id}/members/${workspace.owner.id}`),
      () => app.delete(`/v1/workspace/teams/${team.id}/members/${workspace.owner.id}`),
      () => app.patch('/v1/workspace/environments/production', { approvalPolicy: 'agents' }),
      () => api.delete(`/v1/scripts/${slug}`),
    ];
    for (const change of changes) {
      await change();
      expect((await stream.next()).method).toBe(CHANGED);
    }
  });

  it('hears nothing of another workspace, nor of what changes no tool', async () => {
    // In a workspace of its own: here, what was changed before may be told only now.
    const own = await newWorkspace();
    const api = client({ token: own.owner.token, workspace: own.slug });
    const stream = await listening(await own.owner.agent());
    const other = await newWorkspace();
    await python(client({ token: other.owner.token, workspace: other.slug }), 'print(1)', {
      command: 'python main.py',
    });
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    await newVersion(api, slug, { 'main.py': 'print(1)' }, { command: 'python main.py' });
    expect(
      await Promise.race([stream.next(), new Promise((done) => setTimeout(done, 1_500, 'silence'))]),
    ).toBe('silence');
  });

  it('is let go within seconds when its app is disconnected', async () => {
    const token = await workspace.owner.agent();
    const stream = await listening(token);
    await database().query(
      `UPDATE agent_grants SET revoked_at = now() WHERE id = (
         SELECT grant_id FROM agent_access_tokens WHERE hash = sha256(convert_to($1, 'UTF8')))`,
      [token],
    );
    await stream.ended;
    expect((await post(token, { method: 'tools/list' })).status).toBe(401);
  });

  it('cannot open more than twenty streams', async () => {
    const token = await workspace.owner.agent();
    for (let count = 0; count < 20; count++) await listening(token);
    const message: Json = {
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    };
    expect((await post(token, message)).status).toBe(429);
  });
});

describe('with two processes', () => {
  let second: GatehouseProcess;
  beforeAll(async () => {
    // A worker without the files of the others would fail the runs of all tests.
    const env = { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_ROLE: 'api' };
    second = await startGatehouse({ env });
  });
  afterAll(() => second?.stop());

  it('a change that one makes is told by the other', async () => {
    const stream = await listening(agent, second.baseUrl);
    await python(api, 'print(1)', { command: 'python main.py' });
    expect((await stream.next()).method).toBe(CHANGED);
  });

  it('a call that one carries out is cancelled by way of the other', async () => {
    const endless = await python(api, 'import time\ntime.sleep(25)', { command: 'python main.py' });
    await client({ cookie: workspace.owner.cookie, workspace: workspace.slug }).patch(
      '/v1/workspace/environments/production',
      { approvalPolicy: 'none' },
    );
    const headers = { authorization: `Bearer ${agent}`, 'content-type': 'application/json' };
    const accept = 'application/json, text/event-stream';
    const send = (url: string, message: object): Promise<Response> =>
      fetch(new URL('/mcp', url), {
        method: 'POST',
        headers: { ...headers, accept, 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
    const call = send(baseUrl(), {
      id: 'c-1',
      method: 'tools/call',
      params: { name: endless.slug, arguments: {} },
    });
    const runs = (): Promise<Json> =>
      api.get(`/v1/runs?script=${endless.slug}`).then(({ body }) => body.items[0]);
    let run: Json;
    do run = await runs();
    while (run?.phase !== 'executing');
    const told = await send(second.baseUrl, {
      method: 'notifications/cancelled',
      params: { requestId: 'c-1' },
    });
    expect(told.status).toBe(202);
    await (await call).text();
    do run = await runs();
    while (run?.phase !== 'finished');
    expect(run.status).toBe('cancelled');
  });
});
