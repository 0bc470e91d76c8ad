import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine } from '../../support/command-line.js';
import { baseUrl, client, newWorkspace } from '../../support/gatehouse.js';
import { python } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;
const servers: Server[] = [];

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await installed?.remove();
});

async function addressOf(server: Server): Promise<string> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a schedule, a trigger or an endpoint', () => {
  it('is named by its id or by what it is called, where only one is', async () => {
    const { slug } = await python(api, 'print(1)');
    const nightly = await api.post(`/v1/scripts/${slug}/schedules`, { name: 'nightly', cron: '0 3 * * *' });
    const named = await commandLine.run(['schedules', 'view', 'nightly', '--json', 'id']);
    expect(JSON.parse(named.stdout)).toEqual({ id: nightly.body.id });
    expect((await commandLine.run(['schedules', 'pause', 'nightly'])).code).toBe(0);
    expect((await api.get(`/v1/schedules/${nightly.body.id}`)).body.enabled).toBe(false);
    const twin = await api.post(`/v1/scripts/${slug}/schedules`, { name: 'nightly', cron: '0 4 * * *' });
    const both = await commandLine.run(['schedules', 'delete', 'nightly']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining(twin.body.id)]);
    expect(both.stderr).toContain(nightly.body.id);
    expect((await commandLine.run(['schedules', 'delete', twin.body.id])).code).toBe(0);
    const none = await commandLine.run(['schedules', 'view', 'weekly']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no schedule "weekly"')]);
    expect(none.stderr).toContain('gatehouse schedules list');
  });

  it('such as a trigger, also where it is only tried', async () => {
    const { slug } = await python(api, 'print(1)');
    await api.post(`/v1/scripts/${slug}/triggers`, { name: 'on failure', eventType: 'run.failed' });
    const fires = await commandLine.run(['trigger', 'run.failed', '--test', 'on failure', '--json', 'fires']);
    expect(fires).toMatchObject({ code: 0, stdout: '{"fires":true}\n' });
    expect((await commandLine.run(['triggers', 'resume', 'on failure'])).code).toBe(0);
    expect((await commandLine.run(['triggers', 'delete', 'on failure'])).code).toBe(0);
  });

  it('such as an endpoint, by its address', async () => {
    const url = 'https://receiver.example.invalid/hook';
    expect((await commandLine.run(['webhooks', 'create', url])).code).toBe(0);
    const seen = await commandLine.run(['webhooks', 'view', url, '--json', 'url']);
    expect(JSON.parse(seen.stdout)).toEqual({ url });
    expect((await commandLine.run(['webhooks', 'delete', url, '--yes'])).code).toBe(0);
    const gone = await commandLine.run(['webhooks', 'view', url]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('gatehouse webhooks list')]);
  });
});

describe('runs', () => {
  it('are listed from one time to another', async () => {
    const script = await python(api, 'print(1)');
    const started = await api.post(`/v1/scripts/${script.slug}/runs`, {});
    const listed = async (...more: string[]): Promise<string> =>
      (await commandLine.run(['runs', 'list', '--script', script.slug, ...more, '--json', 'id'])).stdout;
    expect(await listed('--since', '1h')).toContain(started.body.id);
    expect(await listed('--until', '1h')).toBe('[]\n');
    expect(await listed('--since', started.body.startedAt, '--status', 'succeeded')).toContain(
      started.body.id,
    );
    expect(await listed('--until', started.body.startedAt)).toBe('[]\n');
    expect(await commandLine.run(['runs', 'list', '--since', 'soon'])).toMatchObject({ code: 2 });
  });

  it('have all their files downloaded at once, below one folder', async () => {
    const script = await python(
      api,
      `import os
os.makedirs("/outputs/reports")
for name in ["reports/a.csv", ".envrc", "plain.txt"]:
    open("/outputs/" + name, "w").write(name)`,
    );
    const { body } = await api.post(`/v1/scripts/${script.slug}/runs`, {});
    const { code, stderr } = await commandLine.run(['runs', 'download', body.id, 'taken']);
    expect(code, stderr).toBe(0);
    const path = (...parts: string[]): string => join(installed.directory, 'taken', ...parts);
    expect((await readdir(path())).sort()).toEqual(['_envrc', 'plain.txt', 'reports']);
    expect(await readFile(path('reports', 'a.csv'), 'utf8')).toBe('reports/a.csv');
    expect(await commandLine.run(['runs', 'download', body.id, 'taken'])).toMatchObject({ code: 2 });
    expect((await commandLine.run(['runs', 'download', body.id])).code).toBe(0);
    expect(await readdir(join(installed.directory, body.id))).toHaveLength(3);
    const none = await python(api, 'print(1)');
    const empty = await api.post(`/v1/scripts/${none.slug}/runs`, {});
    expect(await commandLine.run(['runs', 'download', empty.body.id])).toMatchObject({ code: 2 });
  });
});

describe('listen', () => {
  /** The service behind a connection that can be cut. */
  async function cutting() {
    const sockets = new Set<Socket>();
    const server = createServer((request, response) => {
      const { host: _, ...headers } = request.headers;
      const passed = send(new URL(request.url!, baseUrl()), { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      response.on('close', () => passed.destroy());
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    server.on('connection', (socket: Socket) =>
      sockets.add(socket.on('close', () => sockets.delete(socket))),
    );
    return { url: await addressOf(server), cut: () => sockets.forEach((socket) => socket.destroy()) };
  }

  it('connects again, and misses nothing, also where nothing had come yet', async () => {
    const { url, cut } = await cutting();
    const { child, ended, stderr } = commandLine
      .with({ GATEHOUSE_URL: url })
      .start(['listen', '--event', 'script.created']);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(stderr).toContain('Listening.');
    for (let drop = 1; drop <= 2; drop++) {
      cut();
      const missed = (await python(api, 'print(1)')).slug;
      await expect.poll(() => printed).toContain(missed);
    }
    expect(stderr().match(/connection was lost/g)).toHaveLength(2);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    const ids = printed
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is fed by trigger, of the same workspace alone', async () => {
    const alone = await commandLine.run(['trigger', 'run.failed']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('gatehouse listen')]);
    const other = await newWorkspace();
    const elsewhere = installed.as(other.owner.token, other.slug).start(['listen']);
    const here = commandLine.start(['listen', '--event', 'run.failed']);
    let printed = '';
    here.child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for (const { stderr } of [elsewhere, here]) await expect.poll(stderr).toContain('Listening.');
    const fed = await commandLine.run(['trigger', 'run.failed']);
    expect(fed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('run.failed went to one listener.'),
    });
    await expect.poll(() => printed).toContain('run.failed');
    expect((await commandLine.run(['trigger', 'ping'])).code).toBe(0);
    here.child.kill('SIGTERM');
    elsewhere.child.kill('SIGTERM');
    const { stdout } = await here.ended;
    expect(JSON.parse(stdout)).toMatchObject({ type: 'run.failed', data: { status: 'failed' } });
    expect((await elsewhere.ended).stdout).toBe('');
    expect((await commandLine.run(['trigger', 'run.failed'])).code).toBe(2);
  });
});

describe('the command line', () => {
  it('says where a token that names no workspace can act', async () => {
    const token = installed.with({ GATEHOUSE_URL: baseUrl(), GATEHOUSE_TOKEN: workspace.owner.token });
    const { code, stderr } = await token.run(['scripts', 'list']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--workspace ${workspace.slug}`)]);
    expect((await token.run(['scripts', 'list', '--workspace', workspace.slug])).code).toBe(0);
    const none = await token.run(['status', '--workspace', workspace.slug]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('gatehouse init') });
  });

  it('says what was probably meant by a name that there is not', async () => {
    const { slug } = await python(api, 'print(1)');
    const typed = `${slug.slice(0, -2)}${slug.at(-1)}${slug.at(-2)}-`;
    for (const words of [
      ['run', typed],
      ['scripts', 'view', typed],
    ]) {
      const { code, stderr } = await commandLine.run(words);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`Did you mean ${slug}?`)]);
      expect(stderr).toContain(`There is no script "${typed}" here.`);
    }
    const far = await commandLine.run(['run', 'nothing-of-the-kind-at-all']);
    expect([far.code, far.stderr]).toEqual([2, expect.stringContaining('gatehouse scripts list')]);
    const place = await commandLine.run(['whoami', '--workspace', `${workspace.slug}x`]);
    expect([place.code, place.stderr]).toEqual([
      4,
      expect.stringContaining(`Did you mean ${workspace.slug}? It can act in: ${workspace.slug}`),
    ]);
  });

  it('reads an API key of its own variable, which a token comes before', async () => {
    const key = await workspace.apiKey();
    const byKey = installed.with({ GATEHOUSE_URL: baseUrl(), GATEHOUSE_API_KEY: key });
    const who = await byKey.run(['whoami', '--json', 'person,profile']);
    expect(JSON.parse(who.stdout)).toEqual({ person: null, profile: null });
    const both = await byKey
      .with({ GATEHOUSE_TOKEN: workspace.owner.token, GATEHOUSE_WORKSPACE: workspace.slug })
      .run(['whoami', '--json', 'person']);
    expect(JSON.parse(both.stdout).person).not.toBeNull();
    const bad = await byKey.with({ GATEHOUSE_API_KEY: 'svc_sk_no' }).run(['scripts', 'list']);
    expect([bad.code, bad.stderr]).toEqual([4, expect.stringContaining('The API key in GATEHOUSE_API_KEY')]);
  });

  it.each([502, 503, 504])('names the proxy that responds with %i', async (status) => {
    const proxy = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html', server: 'nginx/1.27.4' });
      response.end('<html><h1>Bad Gateway</h1></html>');
    });
    const url = await addressOf(proxy);
    const { code, stderr } = await commandLine.with({ GATEHOUSE_URL: url }).run(['scripts', 'list']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`A proxy (nginx/1.27.4) at ${url} responded with status ${status}`),
    ]);
    expect(stderr).not.toContain('<h1>');
  });

  it.each([
    ['a command', ['pusj'], 'Did you mean push?'],
    ['a command of a group', ['runs', 'lits'], 'Did you mean list?'],
    ['an option', ['runs', 'list', '--sinc', '1h'], 'Did you mean --since?'],
    ['an option of push', ['push', '--dryrun'], 'Did you mean --dry-run?'],
  ])('suggests what may have been meant by %s', async (_, args, suggestion) => {
    await mkdir(join(installed.directory, 'empty'), { recursive: true });
    await writeFile(join(installed.directory, 'empty', 'x'), '');
    const { code, stderr } = await commandLine.in('empty').run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(suggestion)]);
  });
});
