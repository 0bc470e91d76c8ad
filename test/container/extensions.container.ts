import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Client, createClient, freePort } from '../../libs/testing/index.js';
import { ExtensionFolder } from '../support/extensions.js';
import { Container, engine } from './support/container.js';

const EXTENSIONS = ['tickets', 'deploy-action', 'chat-approvals'];
const NAMED = EXTENSIONS.map((name) => `/extensions/${name}.mjs`).join(',');

/** What an author has written, in a container without a line of the author's in the image, and then in an image of two lines. */
describe('extensions in a container', () => {
  const volume = `extensions-${randomBytes(4).toString('hex')}`;
  const made: string[] = [];
  const posts: string[] = [];
  const chat = createServer((request, response) => {
    void text(request).then((body) => {
      posts.push(body);
      response.end('ok');
    });
  });
  let folder: ExtensionFolder;
  let chatPort: number;
  let container: Container;
  let api: Client;

  beforeAll(async () => {
    folder = await ExtensionFolder.make();
    await chmod(folder.path, 0o755);
    for (const name of EXTENSIONS) {
      await folder.add(name, await readFile(`examples/${name}/${name}.extension.ts`, 'utf8'));
    }
    await engine().docker(['volume', 'create', volume]);
    chatPort = await freePort();
    await new Promise<void>((done) => chat.listen(chatPort, '127.0.0.1', done));
  });
  afterAll(async () => {
    chat.close();
    await container?.remove();
    for (const image of made) await engine().attempt(['rmi', image]);
    await engine().attempt(['volume', 'rm', volume]);
    await folder.remove();
  });

  it('are read from a folder that is mounted', async () => {
    await start({
      options: [`--volume=${folder.path}:/extensions:ro`],
      env: { GATEHOUSE_EXTENSIONS: NAMED },
    });
    const { personalAccessToken, workspace } = JSON.parse(
      await container.exec('cat', '/data/first-run.json'),
    ) as Record<string, string>;
    api = createClient({
      baseUrl: container.baseUrl,
      token: personalAccessToken!,
      workspace: workspace!,
    });
    expect((await api.get('/health/ready')).body.extensions).toEqual(versions());
    expect(await container.exec('node', 'dist/src/admin.js', 'extensions')).toContain('tickets');
    expect(await api.post('/v1/tickets', { title: 'The export is late' })).toMatchObject({ status: 201 });
    const wish = { action: 'deploy_action.key', input: { service: 'api' }, reason: 'The build needs it.' };
    const { body } = await api.post('/v1/workspace/approval-requests', wish);
    expect(body).toMatchObject({ status: 'pending', summary: 'Make a key that deploys api to production.' });
    await expect.poll(() => posts.join(), { timeout: 10_000 }).toContain('asks: The build needs it.');
    expect(await container.stop()).toBe(0);
  });

  it('are part of an image of two lines, which goes on with their tables', async () => {
    await container.remove();
    await folder.write(
      'Dockerfile',
      `FROM ${inject('image')}\nCOPY *.mjs /extensions/\nENV GATEHOUSE_EXTENSIONS=${NAMED}\n`,
    );
    await engine().docker(['build', '--tag=gatehouse-extended', folder.path]);
    made.push('gatehouse-extended');
    await start({ image: 'gatehouse-extended' });
    const { body } = await api.get('/v1/tickets');
    expect(body.items).toMatchObject([{ title: 'The export is late' }]);
  });

  const versions = () => EXTENSIONS.map((name) => ({ name, version: '1.0.0' }));

  const settings = () => ({
    EXTENSION_DEPLOY_ACTION_SERVICES: 'api',
    EXTENSION_CHAT_APPROVALS_WEB_HOOK: `http://127.0.0.1:${chatPort}/hooks/of-the-room`,
    EXTENSION_CHAT_APPROVALS_WORKSPACE: 'main',
    GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
  });

  async function start({ options = [], env, ...rest }: Parameters<typeof Container.start>[0]): Promise<void> {
    const port = api === undefined ? await freePort() : Number(new URL(container.baseUrl).port);
    container = await Container.start(
      { options: [`--volume=${volume}:/data`, ...options], env: { ...settings(), ...env }, ...rest },
      { port },
    );
    await container.ready();
  }
});
