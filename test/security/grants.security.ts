import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { createClient, type GatehouseProcess, type TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { listen, mcpClient, post, said } from '../support/mcp.js';
import { App, connect } from '../support/oauth.js';
import { membership } from '../support/people.js';
import { python, runUntil } from '../support/scripts.js';
import { connectApp } from './support/matrix/agent-grants.js';

const MCP = { accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** The owner of a workspace, in the app. */
const inApp = ({ owner, slug }: TestWorkspace) => client({ cookie: owner.cookie, workspace: slug });

describe('a grant whose person', () => {
  it('left the workspace opens nothing, even after they are back', async () => {
    const workspace = await newWorkspace();
    const person = await workspace.person('member');
    const tokens = await connect(person, { workspace: workspace.slug });
    const opens = async () => (await post(tokens.access_token, { method: 'tools/list' })).status;
    expect(await opens()).toBe(200);
    const { id } = (await membership(workspace, person))!;
    const removed = await inApp(workspace).delete(`/v1/workspace/members/${id}`);
    expect(removed.status, removed.text).toBe(204);
    expect(await opens()).toBe(401);
    expect((await tokens.app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await opens()).toBe(401);
  });

  it('lost their role may do no more than they', async () => {
    const workspace = await newWorkspace();
    const person = await workspace.person('owner');
    const mcp = await mcpClient(await connectApp({ person, workspace: workspace.slug }));
    const endpoints = () => mcp.callTool({ name: 'list_webhook_endpoints', arguments: {} });
    expect(said(await endpoints()).isError).toBe(false);
    const { id } = (await membership(workspace, person))!;
    const changed = await inApp(workspace).patch(`/v1/workspace/members/${id}`, { role: 'guest' });
    expect(changed.status, changed.text).toBe(200);
    expect(said(await endpoints())).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^forbidden: /),
    });
    const names = (await mcp.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('list_webhook_endpoints');
    await mcp.close();
  });

  it('took it back gives a call that waits nothing any more', { tags: 'slow' }, async () => {
    const workspace = await newWorkspace();
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    const script = await python(api, 'import time\ntime.sleep(20)\nprint("not for you")', { timeout: 120 });
    const mcp = await mcpClient(await connectApp({ person: workspace.owner, workspace: workspace.slug }));
    const run = said(await mcp.callTool({ name: script.slug, arguments: {} })).structured.runId as string;
    await runUntil(api, run, ({ phase }) => phase === 'executing');
    const waiting = mcp.callTool({ name: 'wait_for_run', arguments: { runId: run, seconds: 30 } }).then(
      (result) => JSON.stringify(result),
      (error: Error) => error.message,
    );
    await sleep(500);
    const account = inApp(workspace);
    const [{ id }] = (await account.get('/v1/account/apps')).body.items;
    expect((await account.delete(`/v1/account/apps/${id}`)).status).toBe(204);
    const outcome = await waiting;
    expect(outcome).not.toContain('not for you');
    expect(outcome).toContain('unauthorized');
  });
});

it('starts nothing where agents are not allowed any more', async () => {
  const workspace = await newWorkspace();
  const api = inApp(workspace);
  const script = await python(
    client({ token: workspace.owner.token, workspace: workspace.slug }),
    'print(1)',
  );
  const mcp = await mcpClient(await connectApp({ person: workspace.owner, workspace: workspace.slug }));
  expect(said(await mcp.callTool({ name: script.slug, arguments: {} })).isError).toBe(false);
  await api.patch('/v1/workspace/environments/production', { agentsAllowed: false });
  for (const call of [
    { name: script.slug, arguments: {} },
    { name: 'run_script', arguments: { script: script.slug } },
    { name: 'run_script', arguments: { script: script.slug, environment: 'production' } },
  ]) {
    const refused = said(await mcp.callTool(call));
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^forbidden: /) });
  }
  expect((await api.get('/v1/runs')).body.items).toHaveLength(1);
  await mcp.close();
});

it('deletes no workspace, whatever was granted: that takes its owner in person', async () => {
  const workspace = await newWorkspace();
  const { owner, slug } = workspace;
  const { access_token: token } = await connect(owner, { workspace: slug });
  const refused = await client({ token }).delete('/v1/workspace');
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'forbidden']);
  expect(refused.headers.get('www-authenticate')).toBeNull();
  expect((await inApp(workspace).get('/v1/workspace')).status).toBe(200);
  expect((await client({ token: owner.token, workspace: slug }).delete('/v1/workspace')).status).toBe(204);
});

it('is read from the header alone', async () => {
  const { owner, slug } = await newWorkspace();
  const token = await connectApp({ person: owner, workspace: slug });
  const bare = client();
  for (const name of ['access_token', 'token', 'authorization']) {
    const query = `?${new URLSearchParams({ [name]: token }).toString()}`;
    expect((await bare.post(`/mcp${query}`, LIST, MCP)).status, name).toBe(401);
    expect((await bare.get(`/v1/runs${query}`)).status, name).toBe(401);
  }
  const form = new URLSearchParams({ access_token: token }).toString();
  const posted = await bare.post('/mcp', form, { 'content-type': 'application/x-www-form-urlencoded' });
  expect(posted.status).toBe(401);
});

it.each(['/connect/anything', '/connect/error?error=invalid_client', '/device?user_code=ABCD-EFGH'])(
  'is given on a page that no other page can frame or learn the address of: %s',
  async (path) => {
    const { headers } = await fetch(new URL(path, baseUrl()), { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toMatch(/no-store|no-cache/);
  },
);

describe('with a second process', () => {
  let second: GatehouseProcess;
  beforeAll(async () => {
    second = await startGatehouse({
      env: {
        DATABASE_URL: inject('databaseUrl'),
        GATEHOUSE_ROLE: 'api',
        GATEHOUSE_FILES: `file:${join(inject('dataDirectory'), 'files')}`,
        GATEHOUSE_RATE_LIMIT: '0',
        GATEHOUSE_BASE_URL: baseUrl(),
      },
    });
  });
  afterAll(() => second.stop());

  it('a refresh token that comes to both at once ends what it was for', async () => {
    const { owner, slug } = await newWorkspace();
    for (let round = 0; round < 3; round++) {
      const { app, refresh_token: token } = await connect(owner, { workspace: slug });
      const there = new App(app.clientId, second.baseUrl);
      const answers = await Promise.all([app.refresh(token), there.refresh(token)]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      for (const { status, body } of answers) {
        if (status !== 200) expect(body.error).toBe('invalid_grant');
        else expect((await app.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
      }
      expect((await client({ cookie: owner.cookie }).get('/v1/account/apps')).body.items).toEqual([]);
    }
  });

  it('an app that is gone before it is told of changes takes nothing with it', async () => {
    const workspace = await newWorkspace();
    const token = await connectApp({ person: workspace.owner, workspace: workspace.slug });
    // The first while the process still loads what it needs for it, the others at any moment of their beginning.
    for (let milliseconds = 0; milliseconds < 60; milliseconds++) {
      await goneAfter(milliseconds, token, second.baseUrl);
    }
    await python(client({ token: workspace.owner.token, workspace: workspace.slug }), 'print(1)');
    await sleep(1_000);
    expect((await createClient({ baseUrl: second.baseUrl }).get('/health/live')).status).toBe(200);
    // Nor does it count among the streams that its grant may have, as soon as the service knows that it is gone.
    const opened = async (): Promise<number> => {
      const begun = await Promise.allSettled(Array.from({ length: 20 }, () => listen(token, second.baseUrl)));
      const streams = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const stream of streams) stream.close();
      return streams.length;
    };
    await expect.poll(opened, { interval: 1_000 }).toBe(20);
  });
});

/** Asks to be told of changes, and hangs up. */
async function goneAfter(milliseconds: number, token: string, url: string): Promise<void> {
  const begun = fetch(new URL('/mcp', url), {
    method: 'POST',
    signal: AbortSignal.timeout(milliseconds),
    headers: {
      ...MCP,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  await begun.then((response) => response.body?.cancel()).catch(() => undefined);
}
