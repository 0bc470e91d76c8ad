import { beforeAll, describe, expect, it } from 'vitest';

import type { Client as Api, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, post, said } from '../support/mcp.js';
import { python, run } from '../support/scripts.js';
import { connectApp } from './support/matrix/agent-grants.js';
import { refusal } from './support/matrix/expectation.js';
import { type Principal, principalsOf } from './support/matrix/principals.js';
import { routesOf, type Route } from './support/matrix/route-line.js';
import { ROUTES } from './support/matrix/routes.js';

const ENDPOINTS = '/v1/workspace/webhook-endpoints';

/** Each tool with the route that does the same, whose line in the table of routes says who may. */
const TOOLS: Record<string, [route: string, args: object]> = {
  list_scripts: ['GET /v1/scripts', {}],
  find_scripts: ['POST /v1/scripts/{script}/runs', { q: 'absent' }],
  get_script: ['GET /v1/scripts/{script}', { script: 'absent' }],
  run_script: ['POST /v1/scripts/{script}/runs', { script: 'absent' }],
  run_batch: ['POST /v1/scripts/{script}/runs/batch', { script: 'absent', inputs: [{}] }],
  get_run: ['GET /v1/runs/{run}', { runId: 'absent' }],
  wait_for_run: ['GET /v1/runs/{run}', { runId: 'absent' }],
  list_planned_requests: ['GET /v1/runs/{run}/planned', { runId: 'absent' }],
  get_run_log: ['GET /v1/runs/{run}/log', { runId: 'absent' }],
  cancel_run: ['POST /v1/runs/{run}/cancel', { runId: 'absent' }],
  list_runs: ['GET /v1/runs', {}],
  get_run_statistics: ['GET /v1/runs/statistics', {}],
  list_errors: ['GET /v1/errors', {}],
  get_error: ['GET /v1/errors/{error}', { error: 'absent' }],
  upload_file: ['POST /v1/files', { name: 'absent.txt' }],
  list_approval_actions: ['GET /v1/workspace/approval-actions', {}],
  request_approval: [
    'POST /v1/workspace/approval-requests',
    { action: 'no.such.action', input: {}, reason: 'A test' },
  ],
  get_approval: ['GET /v1/workspace/approval-requests/{approval}', { request: 'absent' }],
  list_webhook_endpoints: [`GET ${ENDPOINTS}`, {}],
  list_webhook_deliveries: [`GET ${ENDPOINTS}/{endpoint}/deliveries`, { endpoint: 'absent' }],
  test_webhook_endpoint: [`POST ${ENDPOINTS}/{endpoint}/test`, { endpoint: 'absent' }],
  redeliver_webhook: [
    `POST ${ENDPOINTS}/{endpoint}/deliveries/{delivery}/redeliver`,
    { endpoint: 'absent', delivery: 'absent' },
  ],
};

let workspace: TestWorkspace;
let owner: Api;
let agents: Principal[];
const routes = new Map(routesOf(ROUTES).map((route) => [nameless(route.name), route]));

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ token: workspace.owner.token, workspace: workspace.slug });
  agents = (await principalsOf(workspace)).filter(({ kind, stoppedAt }) => kind === 'agent' && !stoppedAt);
});

function nameless(name: string): string {
  return name.replace(/\{\w+\}/g, '{}');
}

function routeOf(tool: string): Route {
  const route = routes.get(nameless(TOOLS[tool]![0]));
  if (!route) throw new Error(`There is no route for ${tool}.`);
  return route;
}

async function tokenOf(principal: Principal, scope: string | null): Promise<string> {
  return (await principal.headers(scope))['authorization']!.replace('Bearer ', '');
}

describe('the tools of the platform', () => {
  it('are those whose access is tried here', async () => {
    const mcp = await mcpClient(await workspace.owner.agent());
    const names = (await mcp.listTools()).tools.map(({ name }) => name).filter((name) => name.includes('_'));
    expect(names).toEqual(Object.keys(TOOLS));
    await mcp.close();
  });

  it.each(Object.keys(TOOLS))('%s is for those who may use its route, and for nobody else', async (tool) => {
    const route = routeOf(tool);
    const scope = typeof route.access === 'object' ? route.access.scope : null;
    const seen: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const principal of agents) {
      const call = { method: 'tools/call', params: { name: tool, arguments: TOOLS[tool]![1] } };
      const { status, body } = await post(await tokenOf(principal, scope), call);
      const refused = body.result?.isError === true && /^forbidden: /.test(said(body.result).text);
      const isForbidden = status === 403 || refused;
      seen[principal.name] = isForbidden;
      wanted[principal.name] = refusal(route, principal) !== null;
      expect(status, principal.name).toBe(principal.unscoped ? 403 : 200);
    }
    expect(seen).toEqual(wanted);
  });

  it('are listed for those whose role allows them', async () => {
    for (const principal of agents) {
      const { body } = await post(await tokenOf(principal, null), { method: 'tools/list' });
      const listed = (body.result.tools as Json[]).map(({ name }) => name as string);
      const scoped = { ...principal, unscoped: false } as unknown as Principal;
      const allowed = Object.keys(TOOLS).filter((tool) => refusal(routeOf(tool), scoped) === null);
      expect([principal.name, listed.filter((name) => name.includes('_'))]).toEqual([
        principal.name,
        allowed,
      ]);
    }
  });
});

describe("a script's tool", () => {
  it('is neither there nor callable for whom the script is not', async () => {
    const script = await python(owner, 'print(1)', { command: 'python main.py' });
    const team = (await owner.get('/v1/workspace/teams')).body.items[0].id as string;
    const guest = await workspace.person('guest');
    const outsider = (await newWorkspace()).owner;
    const tokens = { guest: await guest.agent(), outsider: await outsider.agent() };
    expect(team).toBeDefined();
    for (const [name, token] of Object.entries(tokens)) {
      const mcp = await mcpClient(token);
      const { tools } = await mcp.listTools();
      expect([name, tools.some((tool) => tool.name === script.slug)]).toEqual([name, false]);
      await expect(mcp.callTool({ name: script.slug, arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
      const byName = said(await mcp.callTool({ name: 'run_script', arguments: { script: script.slug } }));
      expect(byName).toMatchObject({ isError: true, text: expect.stringMatching(/^not_found: /) });
      await mcp.close();
    }
    expect((await owner.get(`/v1/runs?script=${script.slug}`)).body.items).toEqual([]);
  });

  it('never acts in another workspace, whatever the header says', async () => {
    const elsewhere = await newWorkspace();
    const token = await workspace.owner.agent();
    const answer = await post(
      token,
      { method: 'tools/list' },
      { headers: { 'x-workspace': elsewhere.slug } },
    );
    expect(answer.status).toBe(403);
  });

  it('is refused where agents may not run', async () => {
    const script = await python(owner, 'print(1)', { command: 'python main.py' });
    const app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    await app.post('/v1/workspace/environments', { name: 'closed', agentsAllowed: false });
    const mcp = await mcpClient(await workspace.owner.agent());
    const args = { script: script.slug, environment: 'closed' };
    const refused = said(await mcp.callTool({ name: 'run_script', arguments: args }));
    expect(refused.text).toMatch(/^forbidden: Agents may not run scripts in the environment closed/);
    await mcp.close();
  });
});

describe('a grant for one environment', () => {
  it('neither acts in another one nor sees what ran there', async () => {
    const script = await python(owner, 'print(1)', { command: 'python main.py' });
    const elsewhere = await run(owner, script);
    const grant = { person: workspace.owner, workspace: workspace.slug, environment: 'staging' };
    const mcp = await mcpClient(await connectApp(grant));
    const { tools } = await mcp.listTools();
    const runScript = tools.find(({ name }) => name === 'run_script')!;
    expect(Object.keys(runScript.inputSchema.properties!)).toEqual([
      'script',
      'inputs',
      'retry',
      'startAt',
      'expiresAt',
      'priority',
      'labels',
      'plan',
    ]);
    const own = said(await mcp.callTool({ name: script.slug, arguments: {} }));
    expect(own.structured).toMatchObject({ environment: 'staging', status: 'succeeded' });
    const args = { script: script.slug, environment: 'production' };
    const refused = said(await mcp.callTool({ name: 'run_script', arguments: args }));
    expect(refused.text).toMatch(/^forbidden: .*bound to the environment staging/);
    for (const name of ['get_run', 'wait_for_run', 'list_planned_requests', 'get_run_log', 'cancel_run']) {
      const answer = said(await mcp.callTool({ name, arguments: { runId: elsewhere.body.id } }));
      expect([name, answer.text]).toEqual([name, expect.stringMatching(/^not_found: /)]);
    }
    const listed = said(await mcp.callTool({ name: 'list_runs', arguments: { script: script.slug } }));
    expect(listed.structured.items).toMatchObject([{ runId: own.structured.runId, environment: 'staging' }]);
    for (const name of ['list_runs', 'list_errors', 'get_run_statistics']) {
      const there = said(await mcp.callTool({ name, arguments: { environment: 'production' } }));
      expect([name, there.text]).toEqual([name, expect.stringMatching(/^forbidden: .*bound to/)]);
    }
    const uri = `gatehouse://runs/${elsewhere.body.id}/output`;
    await expect(mcp.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    await mcp.close();
  });
});

describe('what a model reads', () => {
  it('is nothing of runs and files that the person may not see', async () => {
    const script = await python(owner, 'open("/outputs/a.txt", "w").write("private")\nprint(1)', {
      command: 'python main.py',
    });
    const { body } = await run(owner, script);
    const uris = [
      `gatehouse://files/${body.files[0].id}`,
      `gatehouse://runs/${body.id}/output`,
      `gatehouse://runs/${body.id}/log`,
      'gatehouse://runs/../../etc/passwd',
      'file:///etc/passwd',
      'https://example.com/',
    ];
    const guest = await (await workspace.person('guest')).agent();
    for (const uri of uris) {
      const { status, body: answer } = await post(guest, { method: 'resources/read', params: { uri } });
      expect([uri, status, answer.error?.code]).toEqual([uri, status, -32602]);
    }
    const noFiles = await connectApp({
      person: workspace.owner,
      workspace: workspace.slug,
      without: 'files:read',
    });
    expect((await post(noFiles, { method: 'resources/read', params: { uri: uris[0] } })).status).toBe(403);
    expect((await post(noFiles, { method: 'resources/read', params: { uri: uris[1] } })).status).toBe(200);
  });

  it('is no secret: neither of a webhook endpoint nor by a request that makes one', async () => {
    await database().query(`UPDATE environments SET agents_allowed = true WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    const mcp = await mcpClient(await workspace.owner.agent());
    const input = { name: 'A key' };
    const args = { action: 'api_key.create', input, reason: 'A test' };
    const asked = said(await mcp.callTool({ name: 'request_approval', arguments: args }));
    expect(asked.text).toMatch(/^forbidden: Agents may not ask for api_key\.create/);
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }) => name).filter((name) => /redeem|approve$|secret/.test(name))).toEqual([]);
    await mcp.close();
  });
});
