import { Client as Sdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, post, said, VERSIONS } from '../support/mcp.js';
import { python, type TestScript } from '../support/scripts.js';

const SCOPES = ['mcp', 'scripts:read', 'runs:read', 'runs:write'];

let workspace: TestWorkspace;
let owner: Client;
let script: TestScript;
let held: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
  const staging = await owner.post('/v1/workspace/environments', { name: 'staging' });
  expect(staging.status, staging.text).toBe(201);
  [script, held] = await Promise.all([python(owner, 'print(6 * 7)'), python(owner, 'print(1)')]);
  await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'agents' });
});

/** Whoever connects without a person, with what its client sends besides. */
const callers = {
  'an API key': async () => ({ token: await workspace.apiKey('staging', { scopes: SCOPES }), headers: {} }),
  'a personal token': async () => ({
    token: await workspace.owner.tokenWith({ scopes: SCOPES }),
    headers: { 'x-workspace': workspace.slug, 'x-environment': 'staging' },
  }),
};

describe.each(Object.entries(callers))('%s with the scope mcp', (name, caller) => {
  const isKey = name === 'an API key';

  it.each(VERSIONS)('runs scripts as itself by the official client, version %s', async (version) => {
    const { token, headers } = await caller();
    const mcp = await mcpClient(token, { version, headers });
    const { tools } = await mcp.listTools();
    expect(tools.map((tool) => tool.name)).toContain(script.slug);
    const result = said(await mcp.callTool({ name: script.slug, arguments: {} }));
    expect(result).toMatchObject({ isError: false, text: expect.stringContaining('42') });
    const { body } = await owner.get(`/v1/runs/${result.structured.runId}`);
    expect(body).toMatchObject({
      interface: 'mcp',
      environment: 'staging',
      startedBy: {
        userId: isKey ? null : workspace.owner.id,
        credentialType: isKey ? 'api_key' : 'pat',
      },
    });
    await mcp.close();
  });

  it('does so by the first SDK, and by a request without a library', async () => {
    const { token, headers } = await caller();
    const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
    const sdk = new Sdk1({ name: 'headless', version: '1' });
    await sdk.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl()), { requestInit }));
    const answer = await sdk.callTool({ name: script.slug, arguments: {} });
    expect(said(answer as Json).text).toContain('42');
    await sdk.close();
    const call = { method: 'tools/call', params: { name: 'run_script', arguments: { script: script.slug } } };
    const plain = await post(token, call, { headers });
    expect(plain.status).toBe(200);
    expect(said(plain.body.result).text).toContain('42');
  });

  it('is held by the policies for agents, whose approval its client is shown', async () => {
    const { token, headers } = await caller();
    const mcp = await mcpClient(token, { headers });
    const waiting = said(await mcp.callTool({ name: held.slug, arguments: {} })).structured;
    expect(waiting).toMatchObject({
      status: 'awaiting_approval',
      approveUrl: expect.stringContaining('/approvals/apr_'),
    });
    await mcp.close();
    const approval = /apr_\w+/.exec(waiting.approveUrl as string)![0];
    expect((await owner.post(`/v1/workspace/approval-requests/${approval}/approve`)).status).toBe(200);
    const { body } = await owner.get(`/v1/runs/${waiting.runId}`);
    expect(body.environment).toBe('staging');
  });

  it('is named by the audit trail as what it is', async () => {
    const { token, headers } = await caller();
    const call = { method: 'tools/call', params: { name: script.slug, arguments: {} } };
    expect((await post(token, call, { headers })).status).toBe(200);
    const trail = await owner.get('/v1/workspace/audit-events?limit=25');
    const called = trail.body.items.find(({ action }: Json) => action === 'agent.tool_called');
    expect(called).toMatchObject({
      actorType: isKey ? 'api_key' : 'user',
      credential: { type: isKey ? 'api_key' : 'pat' },
      target: { type: 'tool', id: script.slug },
    });
  });
});

describe('the tools of a key', () => {
  const toolsOf = async (token: string): Promise<string[]> => {
    const { body } = await post(token, { method: 'tools/list' });
    return body.result.tools.map(({ name }: Json) => name as string);
  };

  it('are those that its scopes allow', async () => {
    const none = await toolsOf(await workspace.apiKey(null, { scopes: ['mcp'] }));
    expect(none).toEqual([]);
    const reading = await toolsOf(await workspace.apiKey(null, { scopes: ['mcp', 'runs:read'] }));
    expect(reading).toEqual([
      ...['get_run', 'wait_for_run', 'list_planned_requests', 'get_run_log'],
      ...['list_runs', 'get_run_statistics', 'list_errors', 'get_error'],
    ]);
    const running = await toolsOf(await workspace.apiKey(null, { scopes: SCOPES }));
    expect(running).toEqual(expect.arrayContaining(['run_script', script.slug, held.slug]));
    // A key has nobody to ask for.
    const all = await toolsOf(
      await workspace.apiKey(null, { scopes: [...SCOPES, 'workspace.approvals:write'] }),
    );
    expect(all).not.toContain('request_approval');
  });

  it('are refused by HTTP where their scope is lacking', async () => {
    const token = await workspace.apiKey(null, { scopes: ['mcp'] });
    const call = { method: 'tools/call', params: { name: script.slug, arguments: {} } };
    const refused = await post(token, call);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain(
      'Bearer error="insufficient_scope", scope="mcp runs:write"',
    );
  });
});
