import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../../libs/testing/index.js';
import { type Received, WebhookBench } from '../../support/webhooks.js';

const FOLDER = 'libs/console/src/pages/webhooks/verification';

/** How the snippets are run that the console shows to receivers; the one in Go takes minutes to build the first time. */
const LANGUAGES = {
  JavaScript: { needs: 'node', start: () => [process.execPath, `${FOLDER}/verify.mjs`] },
  Python: { needs: 'python3', start: () => ['python3', `${FOLDER}/verify.py`] },
  PHP: {
    needs: 'php',
    start: (port: number) => ['php', '-S', `127.0.0.1:${port}`, `${FOLDER}/verify.php`],
  },
  Ruby: {
    needs: 'rackup',
    start: (port: number) => ['rackup', '-o', '127.0.0.1', '-p', String(port), `${FOLDER}/verify.ru`],
  },
};

let bench: WebhookBench;
let scene: Awaited<ReturnType<WebhookBench['scene']>>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  bench = await WebhookBench.start();
  scene = await bench.scene();
  // Its body is not plain ASCII, so that a receiver that decodes it wrongly is found out.
  await scene.api.post('/v1/scripts', { slug: 'duties', name: 'Zölle für Łódź 🚚' });
});
afterAll(async () => {
  for (const receiver of running) receiver.kill();
  await bench?.close();
});

const installed = Object.entries(LANGUAGES).filter(([name, { needs }]) => {
  const isThere = spawnSync('which', [needs]).status === 0;
  if (!isThere) console.log(`The snippet in ${name} is not tried: there is no ${needs}.`);
  return isThere;
});

describe.each(installed)('The snippet in %s', (_, { start }) => {
  it('accepts a real delivery, and nothing that was changed', async () => {
    const [delivery] = (await scene.receiver.until(1)) as [Received];
    const port = await freePort();
    const [command, ...args] = start(port) as [string, ...string[]];
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: scene.endpoint.secret };
    running.push(spawn(command, args, { env, stdio: 'ignore' }));
    const send = async (change: Partial<Received> = {}): Promise<number> => {
      const { headers, body } = { ...delivery, ...change };
      const kept = Object.entries(headers).filter(([name]) => /^(webhook-|content-type)/.test(name));
      const url = `http://127.0.0.1:${port}/hook`;
      return (await fetch(url, { method: 'POST', headers: Object.fromEntries(kept), body })).status;
    };

    await expect.poll(() => send().catch(() => 0)).toBe(204);
    const { headers, body } = delivery;
    expect(await send({ body: `${body} ` })).toBe(401);
    expect(await send({ headers: { ...headers, 'webhook-id': 'msg_other' } })).toBe(401);
    const signature = headers['webhook-signature']!;
    expect(await send({ headers: { ...headers, 'webhook-signature': `v1,aGVsbG8= ${signature}` } })).toBe(
      204,
    );
    expect(
      await send({ headers: { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') } }),
    ).toBe(401);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...others } = headers;
      expect(await send({ headers: others })).toBe(401);
    }
    expect(await send({ headers: { ...headers, 'webhook-timestamp': '1700000000' } })).toBe(401);
  });
});

describe('The receiver that the guide shows', () => {
  it('accepts a real delivery, and nothing that was changed', async () => {
    const [delivery] = (await scene.receiver.until(1)) as [Received];
    const { headers, body, event } = delivery;
    const eventOf = await shownInGuide();
    expect(eventOf(scene.endpoint.secret, body, headers)).toEqual(event);
    expect(() => eventOf(scene.endpoint.secret, `${body} `, headers)).toThrow();
    expect(() => eventOf(scene.endpoint.secret, body, { ...headers, 'webhook-id': 'msg_other' })).toThrow();
  });

  type EventOf = (secret: string, rawBody: string, headers: Record<string, string>) => unknown;

  /** Written where the package is found that it imports. */
  async function shownInGuide(): Promise<EventOf> {
    const page = await readFile('docs/guide/webhooks.md', 'utf8');
    const [, code] = /^```js\n([^]*?)^```$/m.exec(page)!;
    await mkdir('node_modules/.cache', { recursive: true });
    const directory = await mkdtemp(resolve('node_modules/.cache/guide-'));
    try {
      const path = join(directory, 'receiver.mjs');
      await writeFile(path, code!);
      return ((await import(pathToFileURL(path).href)) as { eventOf: EventOf }).eventOf;
    } finally {
      await rm(directory, { recursive: true });
    }
  }
});
