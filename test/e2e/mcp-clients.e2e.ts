import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { Client as Sdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { type Client, type Json, type TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { said } from '../support/mcp.js';
import { approve, Browser } from '../support/oauth.js';
import { python, type TestScript } from '../support/scripts.js';
import { type Person, SigningInClient } from '../support/signing-in-client.js';

/** Of the versions that people get now. */
const PYTHON_CLIENTS = ['mcp==2.3.0', 'fastmcp==4.2.3'];
const CLIENTS = resolve('test/support/clients');

interface Called {
  text: string;
  isError: boolean;
}

/** A client that is connected, as far as a test goes. */
interface Connected {
  tools: string[];
  call(name: string, args: object): Promise<Called>;
  close(): Promise<void>;
}

let workspace: TestWorkspace;
let owner: Client;
let held: TestScript;
let withFile: TestScript;
let failing: TestScript;
let directory: string;
/** To which a program that would open a browser says which address. */
let browsers: Server;
let browserProgram: string;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ token: workspace.owner.token, workspace: workspace.slug });
  const file = { type: 'string', format: 'file' };
  [held, withFile, failing] = await Promise.all([
    python(owner, 'print(1)'),
    python(owner, 'import sys\nprint(len(open(sys.argv[1]).read().splitlines()))', {
      command: 'python main.py {table}',
      inputSchema: { type: 'object', properties: { table: file }, required: ['table'] },
      outputSchema: { type: 'integer' },
    }),
    python(owner, 'import sys\nprint("the cupboard is bare", file=sys.stderr)\nsys.exit(3)', {
      outputSchema: { type: 'integer' },
    }),
  ]);
  await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'agents' });
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-clients-'));
  browsers = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost').searchParams.get('url')!;
    response.end();
    void visit(url).catch((error: unknown) => console.error(error));
  });
  await new Promise<void>((done) => browsers.listen(0, '127.0.0.1', done));
  const { port } = browsers.address() as AddressInfo;
  browserProgram = join(directory, 'xdg-open');
  await writeFile(
    browserProgram,
    `#!/bin/sh\nexec curl -sS -G --data-urlencode "url=$1" http://127.0.0.1:${port}/ >/dev/null\n`,
  );
  await chmod(browserProgram, 0o755);
  await promisify(execFile)('python3', ['-m', 'venv', join(directory, 'py')]);
  await promisify(execFile)(join(directory, 'py/bin/pip'), ['install', '-q', ...PYTHON_CLIENTS]);
}, 300_000);

afterAll(async () => {
  browsers?.close();
  if (directory) await rm(directory, { recursive: true, force: true });
});

/** What a signed-in person's browser does with an address that an app opens: they consent, and it goes where it is sent. */
async function consent(url: string): Promise<string> {
  const browser = new Browser(baseUrl(), workspace.owner.cookie);
  const { location } = Object.fromEntries((await browser.get(url)).headers);
  const uid = /\/connect\/([\w-]+)$/.exec(location ?? '')?.[1];
  if (uid === undefined) throw new Error(`No consent page: ${location}`);
  const scopes = ['scripts:read', 'runs:read', 'runs:write', 'files:read', 'files:write'];
  const back = await browser.get(await approve(browser, uid, { workspace: workspace.slug, scopes }));
  return back.headers.get('location')!;
}

/** Some say the address before they listen for who comes back, and nobody's browser is so quick. */
async function visit(url: string): Promise<void> {
  const back = await consent(url);
  await vi.waitFor(() => fetch(back), { timeout: 60_000 });
}

/** A program that speaks in lines of JSON. */
async function program(command: string, args: string[]): Promise<Connected> {
  const env = { ...process.env, BROWSER: `${browserProgram} %s`, HOME: directory };
  const child: ChildProcess = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async (): Promise<Json> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`The client has ended: ${errors.slice(-3000)}`);
    const line = JSON.parse(value as string) as Json;
    if (line.open === undefined) return line;
    child.stdin!.write(`${await consent(line.open as string)}\n`);
    return next();
  };
  const { tools } = await next();
  return {
    tools,
    call: async (name, args) => {
      child.stdin!.write(`${JSON.stringify({ name, arguments: args })}\n`);
      return next() as Promise<Called>;
    },
    close: async () => {
      const ended = new Promise((done) => child.once('close', done));
      child.stdin!.end();
      await ended;
    },
  };
}

/** An app that knows programs only, by the bridge that many are told to use. */
async function bridge(): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('node_modules/mcp-remote/dist/proxy.js'), `${baseUrl()}/mcp`],
    // It says the address as well, so its browser shows nothing: of two visits one would come too late.
    env: { PATH: process.env['PATH']!, HOME: directory, BROWSER: '/bin/true' },
    stderr: 'pipe',
  });
  let opened = false;
  transport.stderr!.on('data', (chunk: Buffer) => {
    const url = /https?:\/\/\S+\/oauth\/authorize\S+/.exec(chunk.toString())?.[0];
    if (url === undefined || opened) return;
    opened = true;
    void visit(url).catch((error: unknown) => console.error(error));
  });
  const mcp = new Sdk1({ name: 'test', version: '1' });
  await mcp.connect(transport, { timeout: 60_000 });
  return connected(mcp);
}

/** Nothing listens there: the test reads what the browser is sent back with. */
const CALLBACK = 'http://127.0.0.1:47113/callback';

const person: Person = async (address) => new URL(await consent(address.href)).searchParams;

/** The SDK's own way of signing in, with what it needs of an app and no more. */
async function sdk1(): Promise<Connected> {
  const kept: Json = {};
  let asked: URL | undefined;
  const authProvider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'SDK 1', redirect_uris: [CALLBACK] },
    clientInformation: () => kept['client'],
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    redirectToAuthorization: (address) => void (asked = address),
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(url()), { authProvider });
  const first = transport();
  await expect(new Sdk1({ name: 'test', version: '1' }).connect(first)).rejects.toThrow('Unauthorized');
  await first.finishAuth((await person(asked!)).get('code')!);
  await first.close();
  const mcp = new Sdk1({ name: 'test', version: '1' });
  await mcp.connect(transport());
  return connected(mcp);
}

async function sdk2(): Promise<Connected> {
  const mcp = new SigningInClient('SDK 2', CALLBACK, '2026-07-28');
  await mcp.connect(person);
  return {
    tools: await mcp.tools(),
    call: async (name, args) => said(await mcp.callTool(name, args as Record<string, unknown>, person)),
    close: () => mcp.close(),
  };
}

async function connected(mcp: Sdk1): Promise<Connected> {
  const { tools } = await mcp.listTools();
  return {
    tools: tools.map(({ name }) => name),
    call: async (name, args) =>
      said(await mcp.callTool({ name, arguments: args as Record<string, unknown> })),
    close: () => mcp.close(),
  };
}

/** A process for each call, which keeps what it was granted in its home. */
async function inspector(): Promise<Connected> {
  const inspect = async (...args: string[]): Promise<Json> => {
    const program = resolve('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
    const env = {
      PATH: process.env['PATH']!,
      HOME: directory,
      MCP_AUTO_OPEN_ENABLED: 'true',
      BROWSER: '/bin/true',
    };
    const child = spawn(process.execPath, [program, '--cli', url(), '--format', 'json', ...args], { env });
    let [output, errors] = ['', ''];
    let opened = false;
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
      const address = /https?:\/\/\S+\/oauth\/authorize\S+(?=\s)/.exec(errors)?.[0];
      if (address === undefined || opened) return;
      opened = true;
      void visit(address).catch((error: unknown) => console.error(error));
    });
    await new Promise((done) => child.once('close', done));
    if (output === '') throw new Error(errors);
    return (JSON.parse(output) as { result: Json }).result;
  };
  const listed = await inspect('--method', 'tools/list');
  return {
    tools: (listed['tools'] as Json[]).map(({ name }) => name as string),
    call: async (name, args) => {
      const call = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];
      return said(await inspect(...call));
    },
    close: async () => undefined,
  };
}

function url(): string {
  return `${baseUrl()}/mcp`;
}

describe.each<[string, () => Promise<Connected>]>([
  [
    'mcp for Python',
    () => program(join(directory, 'py/bin/python'), [join(CLIENTS, 'mcp_client.py'), url()]),
  ],
  ['fastmcp', () => program(join(directory, 'py/bin/python'), [join(CLIENTS, 'fastmcp_client.py'), url()])],
  ['mcp-remote', bridge],
  ['the SDK, version 1', sdk1],
  ['the SDK, version 2', sdk2],
  ['the inspector', inspector],
])('%s, with its defaults', (_, connect) => {
  it('connects, and runs a held script, one with a file and one that fails', async () => {
    const app = await connect();
    expect(app.tools).toEqual(expect.arrayContaining(['find_scripts', held.slug, withFile.slug]));
    const waits = await app.call(held.slug, {});
    expect(waits).toMatchObject({ isError: false, text: expect.stringMatching(/^approveUrl: http/m) });
    const table = { name: 'table.csv', text: 'a,b\n1,2\n3,4\n' };
    expect(await app.call(withFile.slug, { table })).toMatchObject({ isError: false, text: '3' });
    const failed = await app.call(failing.slug, {});
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('the cupboard is bare');
    expect(failed.text).toMatch(/^runId: run_/m);
    await app.close();
  });
});
