import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { PACKING_MS, onlyFrom, pack } from '../support/packages.js';
import { archiveOf } from '../support/scripts.js';

const run = promisify(execFile);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let directory: string;
let readme: string;

/** What somebody gets who installs the package into an empty folder and does what its README says. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-package-'));
  await pack();
  readme = await readFile(join('libs', 'client', 'README.md'), 'utf8');
  await writeFile(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  // It is compiled with its types.
}, PACKING_MS);

afterAll(() => rm(directory, { recursive: true, force: true }));

const blocks = (language: string): string[] =>
  [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text!);

describe('the package', () => {
  it('is installed as its README says, with nothing else', async () => {
    expect(blocks('sh').join('')).toContain('npm install @gatehouse/client --@gatehouse:registry=https:');
    await run('npm', ['install', '@gatehouse/client', ...onlyFrom(baseUrl())], { cwd: directory });
    expect(await readdir(join(directory, 'node_modules'))).toEqual(
      expect.arrayContaining(['.package-lock.json', '@gatehouse']),
    );
    const files = await readdir(join(directory, 'node_modules', '@gatehouse', 'client'), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'dist/index.d.ts']));
    expect(files.filter((name) => /^(?!dist).*\.m?ts$|spec|test/.test(name))).toEqual([]);
  });

  it('asks for none of Node’s modules where it is loaded', async () => {
    const dist = join(directory, 'node_modules', '@gatehouse', 'client', 'dist');
    const sources = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'));
    for (const name of sources) {
      const text = await readFile(join(dist, name), 'utf8');
      expect(text, name).not.toMatch(/from ['"]node:|import\(['"]node:|\bBuffer\.|\bprocess\.(?! *\n)/);
    }
  });
});

describe('the README', () => {
  let workspace: TestWorkspace;
  let api: Client;

  beforeAll(async () => {
    workspace = await newWorkspace();
    api = client({ token: workspace.owner.token, workspace: workspace.slug });
    await api.post('/v1/workspace/environments', { name: 'staging' });
    await script('forecast', 'import sys\nprint(sys.argv[1])', { command: 'python3 main.py {city}' });
    await script('import-orders', 'import sys\nprint("::progress 0.5", file=sys.stderr)', { timeout: 60 });
    await script('refund', 'print("ok")', { command: 'python3 main.py {order}' });
    await api.patch('/v1/scripts/refund', { approvalPolicy: 'always' });
    await script('report', 'import shutil, sys\nshutil.copy(sys.argv[1], "/outputs/report.csv")', {
      command: 'python3 main.py {orders}',
      inputSchema: { type: 'object', properties: { orders: { type: 'string', format: 'file' } } },
    });
    await writeFile(join(directory, 'orders.csv'), 'order\n1042\n');
    await linkTypes();
  });

  async function script(slug: string, code: string, fields: object = {}): Promise<void> {
    await api.post('/v1/scripts', { slug, name: slug });
    await api.post(`/v1/scripts/${slug}/versions`, {
      archive: await archiveOf({ 'main.py': code }),
      ...fields,
    });
    const { status, text } = await api.post(`/v1/scripts/${slug}/publish`, { version: 1 });
    expect(status, text).toBe(200);
  }

  /** Types of Node, which its users have. */
  async function linkTypes(): Promise<void> {
    await mkdir(join(directory, 'node_modules', '@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      await symlink(resolve('node_modules', name), join(directory, 'node_modules', name));
    }
  }

  it('is right, block by block', async () => {
    const program = `${blocks('ts').join('\n')}\n${DELIVERY}`;
    await writeFile(join(directory, 'readme.ts'), program);
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const compiler = resolve('node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [compiler, ...options, 'readme.ts'], { cwd: directory }).catch(
      ({ stdout }: { stdout: string }) => expect(stdout).toBe(''),
    );
    const body = JSON.stringify({ id: 'evt_1', type: 'ping', createdAt: '', data: { message: 'Hello' } });
    const now = new Date();
    const env = {
      ...process.env,
      GATEHOUSE_URL: baseUrl(),
      GATEHOUSE_TOKEN: workspace.owner.token,
      GATEHOUSE_WORKSPACE: workspace.slug,
      GATEHOUSE_WEBHOOK_SECRET: SECRET,
      DELIVERY: body,
      SIGNATURE: new Webhook(SECRET).sign('msg_1', now, body),
      TIMESTAMP: String(Math.floor(now.getTime() / 1000)),
    };
    const running = run(process.execPath, ['readme.js'], { cwd: directory, env });
    const meanwhile = keepDeciding();
    const { stdout } = await running.finally(meanwhile.stop);
    for (const part of [
      'succeeded Berlin',
      '50 %',
      'Please decide at ',
      'order\n1042',
      'GATEHOUSE_API_KEY has 50 characters',
      "path: 'inputs.city'",
      'run.succeeded',
      '1.0.0',
      'delivered: 204 400',
    ]) {
      expect(stdout).toContain(part);
    }
    expect(await readFile(join(directory, 'report.csv'), 'utf8')).toBe('order\n1042\n');
  }, 120_000);

  /** A person in the app who approves whatever waits, and something that happens now and then. */
  function keepDeciding(): { stop(): void } {
    const owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    const decide = async (): Promise<void> => {
      const { body } = await owner.get('/v1/workspace/approval-requests?status=pending');
      for (const { id } of body.items) await owner.post(`/v1/workspace/approval-requests/${id}/approve`);
      await api.post('/v1/scripts/forecast/runs', { inputs: { city: 'Rome' } });
    };
    const timer = setInterval(() => void decide(), 500);
    return { stop: () => clearInterval(timer) };
  }
});

/** What calls the README's receiver: once as it should be, once with another body. */
const DELIVERY = `
const delivery = (body: string): Request =>
  new Request('https://receiver.example/', {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': process.env.TIMESTAMP!,
      'webhook-signature': process.env.SIGNATURE!,
    },
  });
const right = await receive(delivery(process.env.DELIVERY!));
const wrong = await receive(delivery('{}'));
console.log('delivered:', right.status, wrong.status);
`;
