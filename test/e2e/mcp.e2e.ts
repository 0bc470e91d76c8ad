import { beforeAll, describe, expect, it } from 'vitest';

import type { Client as Api, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, post, said, VERSIONS } from '../support/mcp.js';
import { finished, newSlug, publishedScript, python, runUntil, type TestScript } from '../support/scripts.js';

const GREET = `import json, sys
print(json.dumps({"greeting": "Hello, " + sys.argv[1]}))`;
const INPUT = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const OUTPUT = { type: 'object', properties: { greeting: { type: 'string' } }, required: ['greeting'] };

let workspace: TestWorkspace;
let owner: Api;
let agent: string;
let greet: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ token: workspace.owner.token, workspace: workspace.slug });
  agent = await workspace.owner.agent();
  greet = await python(owner, GREET, {
    command: 'python main.py {name}',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
  });
});

describe.each(VERSIONS)('a client of the version %s', (version) => {
  it('finds the same tools in the same order, the scripts as they describe themselves', async () => {
    const mcp = await mcpClient(agent, { version });
    const { tools } = await mcp.listTools();
    expect((await mcp.listTools()).tools).toEqual(tools);
    expect(tools.slice(0, 3).map(({ name }) => name)).toEqual(['list_scripts', 'find_scripts', 'get_script']);
    const own = tools.find(({ name }) => name === greet.slug)!;
    expect(own.inputSchema).toEqual(INPUT);
    expect(own.outputSchema).toMatchObject({ properties: { output: OUTPUT } });
    expect(own.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    await mcp.close();
  });

  it('runs a script by its tool and by run_script, recorded as its own', async () => {
    const mcp = await mcpClient(agent, { version });
    for (const [name, args] of [
      [greet.slug, { name: 'Ada' }],
      ['run_script', { script: greet.slug, inputs: { name: 'Ada' } }],
    ] as const) {
      const { structured, text, isError } = said(await mcp.callTool({ name, arguments: args }));
      expect({ text: JSON.parse(text), isError }).toEqual({
        text: { greeting: 'Hello, Ada' },
        isError: false,
      });
      expect(structured).toMatchObject({ status: 'succeeded', output: { greeting: 'Hello, Ada' } });
      const { body } = await owner.get(`/v1/runs/${structured.runId}`);
      expect(body).toMatchObject({ interface: 'mcp', startedBy: { credentialType: 'oauth' } });
    }
    await mcp.close();
  });

  it('knows scripts with long slugs by names that models take', async () => {
    const mcp = await mcpClient(agent, { version });
    const slugs = [1, 2].map((end) => `${newSlug()}-${'a'.repeat(70)}-${end}`);
    for (const slug of slugs) await publishedScript(owner, { 'main.py': `print("${slug}")` }, {}, slug);
    const { tools } = await mcp.listTools();
    expect(tools.filter(({ name }) => name.length > 64)).toEqual([]);
    for (const slug of slugs) {
      const { name } = tools.find(({ title }) => title === slug)!;
      for (const called of [name, slug]) {
        const { structured, text } = said(await mcp.callTool({ name: called, arguments: {} }));
        expect({ output: structured.output, text }).toMatchObject({ output: slug });
      }
      const { body } = await owner.get('/v1/workspace/audit-events?action=agent.tool_called&limit=1');
      expect((body.items as Json[])[0]).toMatchObject({ details: { script: slug } });
    }
    const odd = `${tools.find(({ title }) => title === slugs[0])!.name.slice(0, -1)}g`;
    await expect(mcp.callTool({ name: odd, arguments: {} })).rejects.toThrow(/tool/);
    await mcp.close();
  });

  it('has a run tried again as it says, and is shown its attempts', async () => {
    const mcp = await mcpClient(agent, { version });
    const code = 'import os, sys\nsys.exit(75 if os.environ["GATEHOUSE_ATTEMPT"] == "1" else 0)';
    const { slug: script } = await python(owner, code, { timeout: 60 });
    const start = async (retry: object | null) =>
      said(await mcp.callTool({ name: 'run_script', arguments: { script, inputs: {}, retry } }));
    expect((await start({ attempts: 11 })).text).toContain('retry.attempts');
    const { structured } = await start({ attempts: 2, delay: 0 });
    const follow = (name: string) => mcp.callTool({ name, arguments: { runId: structured.runId } });
    expect(said(await follow('wait_for_run')).structured).toMatchObject({ status: 'succeeded' });
    const shown = said(await follow('get_run'));
    expect(JSON.parse(shown.text)).toMatchObject({
      attempt: 2,
      attempts: [
        { attempt: 1, error: expect.stringContaining('exit code 75') },
        { attempt: 2, error: null },
      ],
    });
    const waiting = await start({ attempts: 2, delay: 3600 });
    await runUntil(owner, waiting.structured.runId, ({ phase }) => phase === 'retrying');
    const told = said(
      await mcp.callTool({
        name: 'wait_for_run',
        arguments: { runId: waiting.structured.runId, seconds: 1 },
      }),
    );
    expect(told.text).toMatch(/Attempt 1 did not end well: exit code 75.*\nThe run is tried again at /);
    await owner.post(`/v1/runs/${waiting.structured.runId}/cancel`);
    await mcp.close();
  });

  it('starts a run for later, and is told why it has not begun', async () => {
    const mcp = await mcpClient(agent, { version });
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const start = async (how: object) =>
      said(await mcp.callTool({ name: 'run_script', arguments: { script: greet.slug, ...how } }));
    const inputs = { name: 'Ada' };
    expect((await start({ inputs, priority: 11 })).text).toContain('priority');
    expect((await start({ inputs, startAt: 'soon' })).text).toContain('startAt');
    const { text, structured } = await start({ inputs, startAt, priority: 2 });
    expect(text).toContain(`The run has not begun. It starts at ${startAt}.`);
    expect(structured).toMatchObject({ status: 'running', startAt, waitsFor: `It starts at ${startAt}.` });
    await owner.post(`/v1/runs/${structured.runId}/cancel`);
    await mcp.close();
  });

  it('is told what is wrong with its arguments, so that it can mend them', async () => {
    const mcp = await mcpClient(agent, { version });
    const wrong = said(await mcp.callTool({ name: greet.slug, arguments: { name: 7 } }));
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/^invalid_request: name: /);
    const absent = said(await mcp.callTool({ name: 'get_run', arguments: { runId: 'run_nothing' } }));
    expect(absent).toMatchObject({ isError: true, text: expect.stringMatching(/^not_found: /) });
    const field = said(await mcp.callTool({ name: 'get_run', arguments: { runId: 'x', nonsense: 1 } }));
    expect(field.text).toContain('nonsense: is not a field of this request');
    await mcp.close();
  });

  it('is told of tools that there are not by the protocol, and nothing is started', async () => {
    const mcp = await mcpClient(agent, { version });
    await expect(mcp.callTool({ name: 'no-such-script', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(mcp.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await mcp.close();
  });

  it('hears of progress', async () => {
    const slow = await python(
      owner,
      `import sys, time
for part in (0.25, 0.5, 0.75):
    print(f"::progress {part} part", file=sys.stderr, flush=True)
    time.sleep(0.7)
print('"done"')`,
      { command: 'python main.py' },
    );
    const mcp = await mcpClient(agent, { version });
    const heard: unknown[] = [];
    const result = await mcp.callTool(
      { name: slow.slug, arguments: {} },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(said(result).text).toBe('done');
    expect(heard.length).toBeGreaterThan(0);
    expect(heard).toEqual([...heard].sort());
    await mcp.close();
  });
});

describe('a script that may take long', () => {
  const sleeping = (seconds: number): Promise<TestScript> =>
    python(owner, `import time\ntime.sleep(${seconds})\nprint('"awake"')`, {
      command: 'python main.py',
      timeout: 90,
    });

  it('is waited for by a client that wants no progress, for some seconds', async () => {
    const short = await sleeping(0.1);
    const ran = said(
      (await post(agent, { method: 'tools/call', params: { name: short.slug, arguments: {} } })).body.result,
    );
    expect(ran).toMatchObject({ isError: false, text: 'awake' });
  });

  it('is not waited for beyond that: the client is told the run, and how to go on', async () => {
    const long = await sleeping(60);
    const began = performance.now();
    const call = { method: 'tools/call', params: { name: long.slug, arguments: {} } };
    const { structured } = said((await post(agent, call)).body.result);
    const seconds = (performance.now() - began) / 1000;
    expect(structured).toMatchObject({
      status: expect.stringMatching(/^(running|queued)$/),
      next: expect.stringContaining('wait_for_run'),
    });
    expect(seconds).toBeGreaterThan(4.5);
    await owner.post(`/v1/runs/${structured.runId}/cancel`);
  });
});

describe('a call', () => {
  it('gives the error and the end of the log of a run that fails', async () => {
    const failing = await python(owner, `import sys\nprint("almost", file=sys.stderr)\nsys.exit(3)`, {
      command: 'python main.py',
    });
    const mcp = await mcpClient(agent);
    const { isError, text, structured } = said(await mcp.callTool({ name: failing.slug, arguments: {} }));
    expect(isError).toBe(true);
    expect(text).toContain('exit code 3');
    expect(text).toContain('almost');
    expect(text).toMatch(/^runId: run_[0-9a-z]{26}$/m);
    // Clients check it against the tool's output schema, and would show nothing of a result that does not fit.
    expect(structured).toBeUndefined();
    await mcp.close();
  });

  it('cuts a long output with a link to all of it, and links to files that it can read', async () => {
    const long = await python(
      owner,
      `open("/outputs/table.csv", "w").write("a,b\\n1,2\\n")\nprint('"' + "x" * 100_000 + '"')`,
      { command: 'python main.py' },
    );
    const mcp = await mcpClient(agent);
    const { text, structured, links } = said(await mcp.callTool({ name: long.slug, arguments: {} }));
    expect(text).toMatch(/\nCut: 32 KiB of 98 KiB\. All of it: gatehouse:\/\/runs\/run_\w+\/output$/);
    expect(structured).toMatchObject({ outputCut: true });
    expect(links.map(({ name }) => name)).toEqual(['output', 'table.csv']);
    const whole = await mcp.readResource({ uri: links[0].uri });
    expect(whole.contents[0]).toMatchObject({ text: JSON.stringify('x'.repeat(100_000)) });
    const file = await mcp.readResource({ uri: links[1].uri });
    expect(file.contents[0]).toMatchObject({ mimeType: 'text/csv', text: 'a,b\n1,2\n' });
    await mcp.close();
  });

  it('acts in the environment that it names, or says that there is none', async () => {
    const app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    await app.post('/v1/workspace/environments', { name: 'staging' });
    const mcp = await mcpClient(agent);
    const args = { script: greet.slug, inputs: { name: 'Ada' } };
    const there = said(
      await mcp.callTool({ name: 'run_script', arguments: { ...args, environment: 'staging' } }),
    );
    expect(there.structured).toMatchObject({ environment: 'staging', status: 'succeeded' });
    const nowhere = said(
      await mcp.callTool({ name: 'run_script', arguments: { ...args, environment: 'nowhere' } }),
    );
    expect(nowhere).toMatchObject({ isError: true });
    expect(nowhere.text).toMatch(/^invalid_request: environment: there is no environment "nowhere"/);
    await mcp.close();
  });

  it('ends its run when it is cancelled', async () => {
    const endless = await python(owner, 'import time\ntime.sleep(25)', { command: 'python main.py' });
    const mcp = await mcpClient(agent);
    const stop = new AbortController();
    const call = mcp
      .callTool({ name: endless.slug, arguments: {} }, { signal: stop.signal })
      .catch(() => null);
    const started = await newest(endless);
    stop.abort();
    await call;
    expect(await runUntil(owner, started, finished)).toMatchObject({ status: 'cancelled' });
    await mcp.close();
  });

  it('ends its run when an older client says so by another message', async () => {
    const endless = await python(owner, 'import time\ntime.sleep(25)', { command: 'python main.py' });
    const mcp = await mcpClient(agent, { version: '2025-11-25' });
    const stop = new AbortController();
    const call = mcp
      .callTool({ name: endless.slug, arguments: {} }, { signal: stop.signal })
      .catch(() => null);
    const started = await newest(endless);
    stop.abort();
    await call;
    expect(await runUntil(owner, started, finished)).toMatchObject({ status: 'cancelled' });
    await mcp.close();
  });
});

describe('the endpoint', () => {
  const list = { method: 'tools/list' };

  it('is for agents, and for tokens and keys that say so', async () => {
    const signedOut = await post(null, list);
    expect(signedOut.status).toBe(401);
    expect(signedOut.body.error.message).toContain('This takes the access token of an app');
    expect(signedOut.headers.get('www-authenticate')).toContain(
      `resource_metadata="${baseUrl()}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(
      (await post(workspace.owner.token, list, { headers: { 'x-workspace': workspace.slug } })).status,
    ).toBe(403);
    expect((await post(await workspace.apiKey(), list)).status).toBe(403);
    expect((await post(await workspace.apiKey(null, { scopes: ['mcp'] }), list)).status).toBe(200);
    expect((await post(agent, list)).status).toBe(200);
  });

  it('takes POST only, of pages of its own', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(new URL('/mcp', baseUrl()), {
        method,
        headers: { authorization: `Bearer ${agent}` },
      });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    expect((await post(agent, list, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await post(agent, list, { headers: { origin: new URL(baseUrl()).origin } })).status).toBe(200);
  });

  it('refuses a call whose scope was not granted, before anything happens', async () => {
    const reader = await workspace.owner.agent({ scopes: ['scripts:read', 'runs:read'] });
    const call = { method: 'tools/call', params: { name: greet.slug, arguments: { name: 'Ada' } } };
    const refused = await post(reader, call);
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('runs:write');
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", scope="[^"]*runs:write/,
    );
    const { tools } = await (await mcpClient(reader)).listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('get_run');
    for (const name of [greet.slug, 'run_script', 'find_scripts', 'request_approval'])
      expect(names).not.toContain(name);
  });

  it("returns the protocol's own errors for what is no message", async () => {
    const api = client({ token: agent });
    const broken = await api.post('/mcp', '{"jsonrpc"', {});
    expect([broken.status, broken.body.error.code]).toEqual([400, -32700]);
    const array = await api.post('/mcp', '[]', {});
    expect([array.status, array.body.error.code]).toEqual([400, -32600]);
    const large = await api.post('/mcp', JSON.stringify({ text: 'x'.repeat(1_100_000) }), {});
    expect(large.status).toBe(413);
    const future = await post(agent, list, { version: '2099-01-01' });
    expect([future.status, future.body.error.code]).toEqual([400, -32022]);
    const unknown = await post(agent, { method: 'tools/destroy' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, -32601]);
  });
});

/** The id of the newest run of a script, once it executes. */
async function newest({ slug }: TestScript): Promise<string> {
  let run: Json;
  await expect
    .poll(async () => {
      [run] = (await owner.get(`/v1/runs?script=${slug}&limit=1`)).body.items as Json[];
      return run?.phase as string;
    })
    .toBe('executing');
  return run!.id as string;
}
