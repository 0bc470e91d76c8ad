import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { describeWalk } from '../support/browser.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

type ClientModule = typeof import('@gatehouse/client');

/** What each page gives to its functions. */
interface Given {
  baseUrl: string;
  token: string;
  workspace: string;
}

declare const given: Given;
declare const clientPackage: ClientModule;

/** The package is loaded as an app would load it; what tests do with it is named by a global. */
const PAGE = `<!doctype html><script type="module">
  import * as clientPackage from './index.js';
  Object.assign(globalThis, { clientPackage });
</script>`;

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' };

/** The package as it is built, on a page of somebody's own. */
describeWalk('the client in a browser', (browser) => {
  let built: string;
  let workspace: TestWorkspace;
  let api: Client;

  const file = async (path: string): Promise<{ body: string; contentType: string }> => ({
    body: path.endsWith('.html') ? PAGE : await readFile(join(built, path), 'utf8'),
    contentType: TYPES[path.split('.').at(-1)!]!,
  });
  /** Pages and modules of another origin, as an app of one's own is. */
  const elsewhere = createServer((request, response) => {
    file(request.url!.replace('/client/', '')).then(
      ({ body, contentType }) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () => response.writeHead(404).end(),
    );
  });

  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'gatehouse-client-'));
    const compiler = resolve('node_modules', 'typescript', 'bin', 'tsc');
    // As the package is built, but for its types.
    const emit = ['--noCheck', '--declaration', 'false', '--outDir', built];
    await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...emit], {
      cwd: join('libs', 'client'),
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    workspace = await newWorkspace();
    api = client({ token: workspace.owner.token, workspace: workspace.slug });
  });

  afterAll(async () => {
    elsewhere.closeAllConnections();
    elsewhere.close();
    await rm(built, { recursive: true, force: true });
  });

  async function pageOf(origin: string): Promise<Page> {
    const page = await browser.page(origin, null);
    if (origin === baseUrl()) {
      await page.route('**/client/**', async (route) => {
        await route.fulfill(await file(new URL(route.request().url()).pathname.replace('/client/', '')));
      });
    }
    await page.goto('/client/page.html');
    await page.waitForFunction(() => 'clientPackage' in globalThis);
    const settings = { baseUrl: baseUrl(), token: workspace.owner.token, workspace: workspace.slug };
    await page.evaluate((values) => Object.assign(globalThis, { given: values }), settings);
    return page;
  }

  it('uploads a Blob, runs a script with it and follows that to its end', async () => {
    const inputSchema = { type: 'object', properties: { data: { type: 'string', format: 'file' } } };
    const code = `import sys, time
for line in open(sys.argv[1]):
    print(line.strip(), file=sys.stderr, flush=True)
    time.sleep(0.5)
open("/outputs/copy.txt", "w").write("copied")`;
    const fields = { command: 'python3 main.py {data}', inputSchema, timeout: 60 };
    const { slug } = await python(api, code, fields);
    const page = await pageOf(baseUrl());
    const found = await page.evaluate(async (script) => {
      const { Gatehouse } = clientPackage;
      const gatehouse = new Gatehouse(given);
      const upload = await gatehouse.files.upload(new Blob(['Grüße\nzwei'], { type: 'text/plain' }), {
        name: 'lines.txt',
      });
      const { id } = await gatehouse.runs.start(script, { data: upload.id }, { wait: 'none' });
      const lines: string[] = [];
      let run;
      for await (const event of gatehouse.runs.follow(id)) {
        if (event.type === 'log') lines.push(event.line);
        if (event.type === 'end') ({ run } = event);
      }
      const copy = run!.files!.find(({ direction }) => direction === 'out')!;
      const content = await (await gatehouse.files.content(copy.id)).text();
      return { type: upload.type, status: run!.status, lines, content };
    }, slug);
    expect(found).toEqual({
      type: 'text/plain',
      status: 'succeeded',
      lines: ['Grüße', 'zwei'],
      content: 'copied',
    });
  });

  it('reads pages, and throws errors of their classes', async () => {
    const page = await pageOf(baseUrl());
    const found = await page.evaluate(async () => {
      const { Gatehouse, NotFoundError } = clientPackage;
      const gatehouse = new Gatehouse(given);
      const names: string[] = [];
      for await (const { name } of gatehouse.environments.list({ limit: 1 })) names.push(name);
      const error = await gatehouse.scripts.get('none').catch((thrown: unknown) => thrown);
      const late = await gatehouse.scripts.list(undefined, { signal: AbortSignal.abort('over') }).then(
        () => 'came',
        (thrown: unknown) => thrown,
      );
      return { names, isNotFound: error instanceof NotFoundError, late };
    });
    expect(found).toEqual({ names: ['production'], isNotFound: true, late: 'over' });
  });

  it('verifies a webhook', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'ping', createdAt: '', data: { message: 'Grüße' } });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    // Where a page may sign and verify at all: this machine's own counts as safe.
    const page = await pageOf(baseUrl());
    const found = await page.evaluate(
      async ({ body: text, headers: sent, secret }) => {
        const { verifyWebhook } = clientPackage;
        const event = await verifyWebhook(text, new Headers(sent), secret);
        const forged = await verifyWebhook(`${text} `, sent, secret).catch(({ name }: Error) => name);
        return { event, forged };
      },
      { body, headers, secret: SECRET },
    );
    expect(found).toEqual({ event: JSON.parse(body), forged: 'WebhookVerificationError' });
  });

  it('is kept from the service on a page of another origin, and says what that may be', async () => {
    const page = await pageOf(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`);
    const error = await page.evaluate(async () => {
      const { Gatehouse } = clientPackage;
      const gatehouse = new Gatehouse({ ...given, retries: 0 });
      return gatehouse.workspace.get().then(
        () => null,
        ({ name, message }: Error) => ({ name, message }),
      );
    });
    expect(error).toEqual({ name: 'ConnectionError', message: expect.stringContaining('another origin') });
  });
});
