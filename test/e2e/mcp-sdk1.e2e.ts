import { request } from 'node:http';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client as Api, type TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { said } from '../support/mcp.js';
import { python, type TestScript } from '../support/scripts.js';

const TEXT = { type: 'string' };
const COUNT = `import json, sys
if sys.argv[1] == "fail":
    print("the cupboard is bare", file=sys.stderr)
    sys.exit(3)
print(json.dumps({"count": 7}))`;

/**
 * The official client of the older major version, by which most apps speak: it checks the structured content of every result
 * against the output schema of its tool, errors included, and shows the model nothing of a result that does not fit.
 */
describe('a client of the SDK version 1', () => {
  let workspace: TestWorkspace;
  let owner: Api;
  let counting: TestScript;
  let mcp: Client;

  beforeAll(async () => {
    workspace = await newWorkspace();
    owner = client({ token: workspace.owner.token, workspace: workspace.slug });
    counting = await python(owner, COUNT, {
      command: 'python main.py {how}',
      inputSchema: { type: 'object', properties: { how: TEXT }, required: ['how'] },
      outputSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    });
    const authorization = `Bearer ${await workspace.owner.agent()}`;
    mcp = new Client({ name: 'test', version: '1' });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', baseUrl()), {
        requestInit: { headers: { authorization } },
      }),
    );
    // From then on it knows the output schemas.
    await mcp.listTools();
  });
  afterAll(() => mcp?.close());

  const call = async (args: Record<string, unknown>) =>
    said(await mcp.callTool({ name: counting.slug, arguments: args }));

  it('gets the output of a script with an output schema', async () => {
    expect(await call({ how: 'well' })).toMatchObject({
      isError: false,
      structured: { status: 'succeeded', output: { count: 7 } },
    });
  });

  it('is sent the digits of the output, structured as well', async () => {
    const { slug } = await python(owner, 'print(\'{"id": 8202522731445525542}\')');
    const response = await fetch(new URL('/mcp', baseUrl()), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await workspace.owner.agent()}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: slug, arguments: {} },
      }),
    });
    expect(await response.text()).toMatch(/"structuredContent":\{[^}]*"output":\{"id":8202522731445525542\}/);
  });

  it.each([
    ['/mcp', '*/*', 200],
    ['/mcp', undefined, 200],
    ['/mcp/', 'text/html, */*;q=0.8', 200],
    ['/mcp/tools', '*/*', 404],
    ['/mcp', 'application/json', 406],
  ])('is served at %s whatever it accepts: %s', async (path, accept, expected) => {
    const { port, hostname } = new URL(baseUrl());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const authorization = `Bearer ${await workspace.owner.agent()}`;
    const headers = { authorization, 'content-type': 'application/json', ...(accept && { accept }) };
    const status = await new Promise((resolve, reject) => {
      const sent = request({ port, hostname, path, method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end(body);
    });
    expect(status).toBe(expected);
  });

  it('reads why a call was refused, and mends it', async () => {
    const refused = await call({ how: 7 });
    expect(refused).toMatchObject({ isError: true, structured: undefined });
    expect(refused.text).toMatch(/^invalid_request: how: /);
  });

  it('reads why a run failed, and which run it was', async () => {
    const failed = await call({ how: 'fail' });
    expect(failed).toMatchObject({ isError: true, structured: undefined });
    expect(failed.text).toContain('exit code 3');
    expect(failed.text).toContain('the cupboard is bare');
    const [runId] = /run_[0-9a-z]{26}/.exec(failed.text)!;
    expect((await owner.get(`/v1/runs/${runId}`)).body).toMatchObject({ status: 'failed' });
  });

  it('reads why agents may not run it', async () => {
    const inApp = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    await inApp.patch('/v1/workspace/environments/production', { agentsAllowed: false });
    const refused = await call({ how: 'well' });
    expect(refused).toMatchObject({ isError: true, structured: undefined });
    expect(refused.text).toMatch(/^forbidden: /);
  });
});
