import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CommandLine } from '../../support/command-line.js';

/** What would take a terminal over, or hide what is written. */
const ESCAPES = '\x1b]0;title\x07\x1b[2J\x9b31m\u202e';
const TOKEN = 'svc_pat_secret0123456789';

/** A service that somebody else runs, or has broken into. */
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const asked: string[] = [];
const service = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  respond(request, response);
});
let url: string;
let installed: CommandLine;
let commandLine: CommandLine;

beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  installed = await CommandLine.build();
  commandLine = installed.with({ GATEHOUSE_URL: url, GATEHOUSE_TOKEN: TOKEN, GATEHOUSE_WORKSPACE: 'acme' });
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await installed?.remove();
});

const json =
  (body: unknown, status = 200): typeof respond =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const path = (...parts: string[]): string => join(installed.directory, ...parts);
const files = async (): Promise<string[]> => (await readdir(installed.directory)).sort();

describe('what a service says', () => {
  const script = {
    slug: 'a',
    status: 'published',
    publishedVersion: 1,
    stats: { runs30d: 1, lastRunAt: null },
  };
  const item = { ...script, name: `name ${ESCAPES}` };

  it.each([
    ['in a table', ['scripts', 'list'], json({ items: [item], nextCursor: null })],
    ['as JSON', ['scripts', 'list', '--json'], json({ items: [item], nextCursor: null })],
    ['raw', ['api', 'GET', '/scripts'], (_, response) => response.end(ESCAPES)],
    ['in an error', ['scripts', 'list'], json({ error: { code: 'conflict', message: ESCAPES } }, 409)],
    ['in a notice', ['usage'], json({ periodEnd: ESCAPES, meters: [], notices: [ESCAPES] })],
    ['in a file', ['files', 'get', 'fil_1', '-o', '-'], (_, response) => response.end(ESCAPES)],
  ] as [string, string[], typeof respond][])('moves no cursor: %s', async (_, args, how) => {
    respond = how;
    const terminal = commandLine.terminal(args);
    await terminal.ended;
    expect(terminal.raw).not.toMatch(/\x1b\]|\x1b\[2J|\u009b|\u202e/);
    expect(terminal.raw).toMatch(/2J/);
  });

  it('completes to no command of a shell', async () => {
    respond = json({ items: [{ slug: '$(reboot)' }, { slug: 'good' }], nextCursor: null });
    expect((await commandLine.run(['complete', '--', 'run', ''])).stdout).toBe('good\n');
  });

  it('comes with no token, whatever it says', async () => {
    for (const how of [
      json({ error: { code: 'unauthorized', message: 'no' } }, 401),
      json({ error: { code: 'internal_error', message: 'no' } }, 500),
      (_: IncomingMessage, response: ServerResponse) =>
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ]) {
      respond = how;
      const { code, stdout, stderr } = await commandLine.run(['whoami']);
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toContain(TOKEN);
    }
  });

  it('is a page of a proxy', async () => {
    respond = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    for (const args of [['whoami'], ['logs', '-f', 'run_1'], ['listen'], ['login']]) {
      const { code, stderr } = await commandLine.run(args);
      expect([args, code]).toEqual([args, 1]);
      expect(stderr).toMatch(/not as Gatehouse does|does not sign command lines in/);
    }
  });
});

describe('files of others', () => {
  it.each([
    ['../../outside.txt', 'outside.txt'],
    ['/etc/cron.d/own', 'own'],
    ['..\\..\\windows.txt', 'windows.txt'],
    ['.bashrc', 'fil_1'],
    ['..', 'fil_1'],
    ['-rf', 'fil_1'],
    ['a\x1b[2Jb', 'a\ufffd[2Jb'],
  ])('called %j are written here, as %j', async (name, written) => {
    await mkdir(path('deep', 'below'), { recursive: true });
    const here = commandLine.in(join('deep', 'below'));
    respond = (request, response) =>
      request.url!.endsWith('/content') ? response.end('x') : json({ id: 'fil_1', name })(request, response);
    const { code, stderr } = await here.run(['files', 'get', 'fil_1']);
    expect([code, stderr]).toEqual([0, `Wrote ${written}.\n`]);
    expect(await readdir(path('deep', 'below'))).toEqual([written]);
    const again = await here.run(['files', 'get', 'fil_1']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
    await rm(path('deep'), { recursive: true });
  });

  it('are not written through a link', async () => {
    await symlink(path('target'), path('linked.txt'));
    respond = (request, response) =>
      request.url!.endsWith('/content') ? response.end('x') : json({ name: 'linked.txt' })(request, response);
    expect((await commandLine.run(['files', 'get', 'fil_1'])).code).toBe(2);
    expect(await files()).not.toContain('target');
  });
});

describe('the folder of a version', () => {
  const archive = async (...entries: Parameters<ReturnType<typeof pack>['entry']>[0][]): Promise<Buffer> => {
    const tar = pack();
    for (const entry of entries) tar.entry(entry, entry.type === 'symlink' ? '' : 'x');
    tar.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of tar) chunks.push(chunk as Buffer);
    return gzipSync(Buffer.concat(chunks));
  };

  it.each([
    ['climbs out', [{ name: '../climbed' }]],
    ['is absolute', [{ name: '/tmp/absolute-of-a-pull' }]],
    ['is a link out', [{ name: 'out', type: 'symlink', linkname: '../..' }, { name: 'out/through' }]],
    ['moves the cursor', [{ name: 'a\x1b[2J' }]],
  ] as [string, Parameters<typeof archive>][])('is refused where a name %s', async (_, entries) => {
    const bytes = await archive(...entries);
    const before = await files();
    const version = { number: 1, hostRules: [], hosts: [], secrets: {}, env: [] };
    respond = (request, response) =>
      request.url!.endsWith('/archive')
        ? response.end(bytes)
        : json(
            request.url!.includes('/versions/')
              ? version
              : { id: 'scr_1', slug: 'a', publishedVersion: 1, lastVersion: 1 },
          )(request, response);
    const { code, stderr } = await commandLine.run(['pull', 'a', 'pulled']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('archive')]);
    expect((await files()).filter((name) => !before.includes(name) && name !== 'pulled')).toEqual([]);
  });
});

describe('an approved secret', () => {
  it.each([
    ['GATEHOUSE_API_KEY', 'x\nPATH=/tmp'],
    ['LD_PRELOAD=/tmp/x.so\nA', 'x'],
  ])('adds no other variable to a file: %j', async (envVar, secret) => {
    respond = json({ request: { status: 'completed' }, secret, envVar });
    const { code } = await commandLine.run(['redeem', 'apr_1', '--env-file', 'secrets.env']);
    expect(code).toBe(1);
    expect(await files()).not.toContain('secrets.env');
  });
});

describe('signing in', () => {
  const device = { device_code: 'd', user_code: 'AAAA', expires_in: 1, interval: 0 };

  it.each(['file:///etc/passwd', 'https://elsewhere.example.com/', 'javascript:alert(1)', '--help'])(
    'opens no browser at %s',
    async (address) => {
      const opened = path('opened');
      await writeFile(path('browser'), `#!/bin/sh\necho "$1" >> '${opened}'\n`);
      await chmod(path('browser'), 0o755);
      respond = (request, response) => {
        if (request.url === '/oauth/device')
          json({ ...device, verification_uri_complete: address })(request, response);
        else
          json({ error: request.url === '/oauth/token' ? 'access_denied' : { code: 'unauthorized' } }, 400)(
            request,
            response,
          );
      };
      const terminal = installed.with({ BROWSER: path('browser') }).terminal(['login', '--url', url]);
      expect(await terminal.ended, terminal.text).toBe(4);
      await sleep(100);
      expect(await files()).not.toContain('opened');
    },
  );

  it('goes on where the service is away for a moment', async () => {
    let polls = 0;
    respond = (request, response) => {
      const complete = { verification_uri_complete: `${url}/device` };
      if (request.url === '/oauth/device')
        return json({ ...device, ...complete, expires_in: 60 })(request, response);
      if (request.url !== '/oauth/token')
        return json({ error: { code: 'unauthorized' } }, 401)(request, response);
      polls += 1;
      if (polls === 1) return void request.socket.destroy();
      if (polls === 2) return void response.writeHead(502).end('<h1>Bad gateway</h1>');
      return json({ error: 'access_denied' }, 400)(request, response);
    };
    const { code, stderr } = await installed.run(['login', '--url', url]);
    expect([code, polls, stderr]).toEqual([4, 3, expect.stringContaining('You said no.')]);
  });

  it('keeps nothing of half a token', async () => {
    respond = (request, response) => {
      const complete = { verification_uri_complete: `${url}/device` };
      if (request.url === '/oauth/device')
        return json({ ...device, ...complete, expires_in: 2 })(request, response);
      if (request.url === '/oauth/token') return json({ access_token: 'svc_clt_x' })(request, response);
      return json({ error: { code: 'unauthorized' } }, 401)(request, response);
    };
    const { code, stderr } = await installed.run(['login', '--url', url]);
    expect([code, stderr]).toEqual([4, expect.not.stringContaining('svc_clt_x')]);
    await expect(readFile(path('config', 'gatehouse', 'profiles.json'))).rejects.toThrow('ENOENT');
  });
});
