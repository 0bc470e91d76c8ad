import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Obstacle } from '../project.mjs';
import { docker } from './succeed.mjs';

const READY_TIMEOUT_MS = 120_000;
/** As docs/container.md says. */
const CONFINED = [
  ...[
    '--read-only',
    '--tmpfs=/tmp:mode=1777,size=512m',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
  ],
  ...['--security-opt=systempaths=unconfined', '--security-opt=apparmor=unconfined'],
];

/**
 * Starts the image of a release on a free port of this machine, with an empty volume.
 * @returns {Promise<{ url: string, env: Record<string, string>, read(path: string): Promise<string>, remove(): Promise<void> }>}
 *   env: what the command line takes
 */
export async function startContainer(directory, version) {
  const image = readdirSync(directory).find((name) => /-image-\w+\.tar\.gz$/.test(name));
  await docker('load', '--quiet', `--input=${join(directory, image)}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = [`PORT=${port}`, `GATEHOUSE_WORKER_PORT=${port}`, `GATEHOUSE_BASE_URL=${url}`];
  const seccomp = `--security-opt=seccomp=${join(directory, 'deploy', 'seccomp.json')}`;
  const options = [
    '--detach',
    '--network=host',
    ...CONFINED,
    seccomp,
    ...settings.map((each) => `--env=${each}`),
  ];
  const id = (await docker('run', ...options, `gatehouse:${version}`)).trim().split('\n').at(-1);
  const read = (path) => docker('exec', id, 'cat', path);
  const remove = () => docker('rm', '--force', '--volumes', id);
  try {
    await ready(url);
    const made = JSON.parse(await read('/data/first-run.json'));
    const env = {
      GATEHOUSE_URL: url,
      GATEHOUSE_TOKEN: made.personalAccessToken,
      GATEHOUSE_WORKSPACE: made.workspace,
    };
    return { url, env, read, remove };
  } catch (error) {
    const log = await docker('logs', id);
    await remove();
    throw new Obstacle(`${error.message}\n${log}`);
  }
}

async function ready(url) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/health/ready`).catch(() => null);
    if (response?.status === 200) return;
    await sleep(200);
  }
  throw new Error('The image does not become ready:');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
