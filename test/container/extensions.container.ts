import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Client, createClient, freePort } from '../../libs/testing/index.js';
import { Author } from '../support/author.js';
import { Container, engine } from './support/container.js';
import { installPackages } from './support/machine-registries.js';

const EXTENSIONS = ['hello', 'deploy-action', 'tickets', 'chat-approvals'];
const NAMED = EXTENSIONS.map((name) => `/extensions/${name}.mjs`).join(',');
const JEST = 'jest@30.5.2';
const REQUESTS = '/v1/workspace/approval-requests';
const ENDPOINTS = '/v1/workspace/webhook-endpoints';

/**
 * Somebody who has the pages of docs/extending and the packages, in an empty folder: writes an event type, an approval action,
 * an entity and a channel, tests them, and loads them into a container. Each test goes on where the one before it has ended.
 */
describe('an author of extensions', () => {
  let author: Author;
  /** What `gatehouse init` has made. */
  let project: string;
  /** What the container gets. */
  let extensions: string;
  let tools: string;
  let jestInstalled: Promise<void>;

  beforeAll(async () => {
    author = await Author.begin();
    tools = join(author.folder, 'tools');
    // While the tests before that one run.
    jestInstalled = installPackages(tools, [JEST]);
    jestInstalled.catch(() => undefined);
    project = join(author.folder, 'gatehouse-hello');
    extensions = join(author.folder, 'extensions');
    await mkdir(extensions);
    await chmod(author.folder, 0o755);
  }, 300_000);
  afterAll(async () => {
    await jestInstalled?.catch(() => undefined);
    await author?.end();
  });

  it('begins with `gatehouse init --extension`, which writes an event type in one file, with its test', async () => {
    const url = '--url=https://gatehouse.example.com';
    const program = author.program('@gatehouse/cli/dist/gatehouse.mjs');
    const init = (...words: string[]) => author.run(process.execPath, [program, 'init', url, ...words]);
    await init('--extension', 'hello');
    await expect(init('--extension', 'hello')).rejects.toThrow('gatehouse-hello');
    await expect(init('--extension', 'Say_Hello')).rejects.toThrow('Say_Hello');
  });

  it('writes an approval action, an entity and a channel by the pages', async () => {
    const written = [
      ...(await author.follow('1-an-approval-action.md', project)),
      ...(await author.follow('2-entities-routes-events-loops.md', project)),
      ...(await author.follow('3-test-it.md', project)),
      ...(await author.follow('5-a-notification-channel.md', project)),
    ];
    const names = ['deploy-action', 'tickets', 'chat-approvals'];
    const files = names.flatMap((name) => [`${name}.extension.ts`, `${name}.spec.ts`]);
    expect(written.sort()).toEqual(files.sort());
  });

  it('compiles and tests them, with node:test', async () => {
    const { stdout } = await author.run('npm', ['test'], project);
    expect(stdout).toMatch(/pass 2\n.*fail 0/s);
  }, 240_000);

  it('tests them, with Vitest', async () => {
    // In one process, which loads the program once.
    const alone = ['--no-isolate', '--maxWorkers=1'];
    const words = ['run', '--dir', 'dist', '--hookTimeout', '60000', ...alone, 'spec'];
    const vitest = author.program('vitest/vitest.mjs');
    const { stdout } = await author.run(process.execPath, [vitest, ...words], project);
    expect(stdout).toMatch(/Test Files.*3 passed.*\(3\)/);
  });

  it('tests them, with Jest, which ends by itself though workers were started', async () => {
    await jestInstalled;
    // What the tests take of Vitest, Jest has under the same names.
    const test = (await readFile(join(project, 'dist', 'tickets.spec.js'), 'utf8'))
      .replace(/^import .* from 'vitest';\n/m, '')
      .replace('startGatehouse({ ', 'startGatehouse({ runsScripts: true, ');
    expect(test).toContain('runsScripts');
    await writeFile(join(project, 'dist', 'tickets.jest.js'), test);
    const jest = ['--experimental-vm-modules', join(tools, 'node_modules', 'jest', 'bin', 'jest.js')];
    const words = ['--rootDir', 'dist', '--testRegex', 'jest\\.js$', '--testTimeout', '60000', '--json'];
    const { stdout, stderr } = await author.run(process.execPath, [...jest, ...words], project);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 3 });
    expect(stderr).not.toContain('did not exit');
  });

  describe('in a container', () => {
    const volume = `extensions-${randomBytes(4).toString('hex')}`;
    const made: string[] = [];
    const posts: string[] = [];
    const chat = createServer((request, response) => {
      void text(request).then((body) => {
        posts.push(body);
        response.end('ok');
      });
    });
    let chatPort: number;
    let container: Container;
    let api: Client;
    /** In the app. */
    let owner: Client;

    beforeAll(async () => {
      for (const name of EXTENSIONS)
        await copyFile(join(project, 'dist', `${name}.extension.js`), join(extensions, `${name}.mjs`));
      await engine().docker(['volume', 'create', volume]);
      chatPort = await freePort();
      await new Promise<void>((done) => chat.listen(chatPort, '127.0.0.1', done));
    });
    afterAll(async () => {
      chat.close();
      await container?.remove();
      for (const image of made) await engine().attempt(['rmi', image]);
      await engine().attempt(['volume', 'rm', volume]);
    });

    it('loads them from a folder that is mounted', async () => {
      await start({
        options: [`--volume=${extensions}:/extensions:ro`],
        env: { GATEHOUSE_EXTENSIONS: NAMED },
      });
      const { personalAccessToken, workspace, email, password } = JSON.parse(
        await container.exec('cat', '/data/first-run.json'),
      ) as Record<string, string>;
      const { baseUrl } = container;
      api = createClient({ baseUrl, token: personalAccessToken!, workspace: workspace! });
      const versions = EXTENSIONS.map((name) => ({ name, version: name === 'hello' ? '0.1.0' : '1.0.0' }));
      expect((await api.get('/health/ready')).body.extensions).toEqual(versions);
      expect(await container.exec('node', 'dist/src/admin.js', 'extensions')).toContain('tickets');
      const login = await createClient({ baseUrl }).post('/v1/auth/login', { email, password });
      const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
      owner = createClient({ baseUrl, cookie, workspace: workspace! });
    });

    it('has its event type delivered', async () => {
      const endpoint = await api.post(ENDPOINTS, {
        url: `https://localhost:${chatPort}/`,
        eventTypes: ['hello.greeted'],
      });
      expect(endpoint.status, endpoint.text).toBe(201);
      expect((await api.post('/v1/hello')).body).toEqual({
        text: expect.stringMatching(/^Welcome, /) as string,
      });
      const deliveries = async () =>
        (await api.get(`${ENDPOINTS}/${endpoint.body.endpoint.id}/deliveries`)).body.items;
      await expect.poll(deliveries).toMatchObject([{ eventType: 'hello.greeted' }]);
    });

    it('has its entity stored', async () => {
      expect(await api.post('/v1/tickets', { title: 'The export is late' })).toMatchObject({ status: 201 });
      expect((await api.get('/v1/tickets')).body.items).toMatchObject([{ title: 'The export is late' }]);
    });

    it('has its approval action asked for in its channel, approved by a person, and performed', async () => {
      const wish = { action: 'deploy_action.key', input: { service: 'api' }, reason: 'The build needs it.' };
      const { body } = await api.post(REQUESTS, wish);
      expect(body).toMatchObject({
        status: 'pending',
        summary: 'Make a key that deploys api to production.',
      });
      await expect.poll(() => posts.join()).toContain('asks: The build needs it.');
      expect((await owner.post(`${REQUESTS}/${body.id}/approve`)).status).toBe(200);
      const redeemed = await api.post(`${REQUESTS}/${body.id}/redeem`);
      expect(redeemed.body.secret).toMatch(/^deploy_api_/);
      expect(await container.stop()).toBe(0);
    });

    it('has them in an image of two lines, which goes on with their tables', async () => {
      await container.remove();
      await writeFile(
        join(extensions, 'Dockerfile'),
        `FROM ${inject('image')}\nCOPY *.mjs /extensions/\nENV GATEHOUSE_EXTENSIONS=${NAMED}\n`,
      );
      await engine().docker(['build', '--tag=gatehouse-extended', extensions]);
      made.push('gatehouse-extended');
      await start({ image: 'gatehouse-extended' });
      const { body } = await api.get('/v1/tickets');
      expect(body.items).toMatchObject([{ title: 'The export is late' }]);
    });

    const settings = () => ({
      EXTENSION_HELLO_GREETING: 'Welcome',
      EXTENSION_DEPLOY_ACTION_SERVICES: 'api',
      EXTENSION_CHAT_APPROVALS_WEB_HOOK: `http://127.0.0.1:${chatPort}/hooks/of-the-room`,
      EXTENSION_CHAT_APPROVALS_WORKSPACE: 'main',
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
    });

    async function start({
      options = [],
      env,
      ...rest
    }: Parameters<typeof Container.start>[0]): Promise<void> {
      const port = api === undefined ? await freePort() : Number(new URL(container.baseUrl).port);
      container = await Container.start(
        { options: [`--volume=${volume}:/data`, ...options], env: { ...settings(), ...env }, ...rest },
        { port },
      );
      await container.ready();
    }
  });
});
