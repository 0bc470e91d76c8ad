import { chmod, readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Client, createClient, freePort } from '../../libs/testing/index.js';
import { ExtensionFolder } from '../support/extensions.js';
import { Container, engine } from './support/container.js';

const EXTENSIONS = ['tickets', 'deploy-action'];
const NAMED = EXTENSIONS.map((name) => `/extensions/${name}.mjs`).join(',');

/** What an author has written, in a container without a line of the author's in the image, and then in an image of two lines. */
describe('extensions in a container', () => {
  const volume = `extensions-${randomBytes(4).toString('hex')}`;
  const made: string[] = [];
  let folder: ExtensionFolder;
  let container: Container;
  let api: Client;

  beforeAll(async () => {
    folder = await ExtensionFolder.make();
    await chmod(folder.path, 0o755);
    for (const name of EXTENSIONS) {
      await folder.add(name, await readFile(`examples/${name}/${name}.extension.ts`, 'utf8'));
    }
    await engine().docker(['volume', 'create', volume]);
  });
  afterAll(async () => {
    await container?.remove();
    for (const image of made) await engine().attempt(['rmi', image]);
    await engine().attempt(['volume', 'rm', volume]);
    await folder.remove();
  });

  it('are read from a folder that is mounted', async () => {
    await start({
      options: [`--volume=${folder.path}:/extensions:ro`],
      env: { GATEHOUSE_EXTENSIONS: NAMED, EXTENSION_DEPLOY_ACTION_SERVICES: 'api' },
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

  async function start({ options = [], ...rest }: Parameters<typeof Container.start>[0]): Promise<void> {
    const port = api === undefined ? await freePort() : Number(new URL(container.baseUrl).port);
    container = await Container.start(
      { options: [`--volume=${volume}:/data`, ...options], ...rest },
      { port },
    );
    await container.ready();
  }
});
