import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Client, type Json, createClient, freePort } from '../../libs/testing/index.js';
import { publishedScript, python, run } from '../support/scripts.js';
import { Upstreams, echo } from '../support/upstream.js';
import { Container, engine } from './support/container.js';

const SECRET = 'sk_live_4f1c8a7d90b2';
const UPGRADED = 'gatehouse-upgraded';
const CA_IN_CONTAINER = '/upstream.pem';

/** One container's life, in order: each test goes on where the one before it has ended. */
describe('a container with a volume', () => {
  const volume = `life-${randomBytes(4).toString('hex')}`;
  const upstreams = new Upstreams();
  let options: string[];
  let port: number;
  let container: Container;
  let firstRun: Record<string, string>;
  let api: Client;
  let asks: { slug: string; id: string };

  const start = async (image?: string): Promise<Container> => {
    const env = { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1', NODE_EXTRA_CA_CERTS: CA_IN_CONTAINER };
    return Container.start({ env, options, ...(image && { image }) }, { port });
  };

  beforeAll(async () => {
    port = await freePort();
    const ca = await upstreams.caFile();
    options = [`--volume=${volume}:/data`, `--volume=${ca}:${CA_IN_CONTAINER}:ro`, '--health-interval=2s'];
    await engine().docker(['volume', 'create', volume]);
    container = await start();
    await container.ready();
  });
  afterAll(async () => {
    await container?.remove();
    await engine().attempt(['volume', 'rm', volume]);
    await upstreams.close();
  });

  it('starts for the first time, and runs the example in the sandbox', async () => {
    const output = await container.output();
    expect(output).toContain('The example script country-chart ran in its sandbox');
    expect(output).toContain('Gatehouse is ready');
    firstRun = JSON.parse(await container.exec('cat', '/data/first-run.json')) as Record<string, string>;
    api = createClient({
      baseUrl: container.baseUrl,
      token: firstRun['personalAccessToken']!,
      workspace: firstRun['workspace']!,
    });
    const { body } = await api.get('/v1/runs?script=country-chart');
    expect(body.items).toMatchObject([{ status: 'succeeded' }]);
  });

  it('says that limits are reduced, where it has no cgroup to write to', async () => {
    expect(await container.output()).toContain('Sandbox limits: reduced.');
    expect((await api.get('/health/ready')).body.checks.sandbox).toBe('limits: reduced');
  });

  it('is healthy, by the check of the image', async () => {
    await expect.poll(() => container.inspect('{{.State.Health.Status}}')).toBe('healthy');
  });

  it('runs everything as its user, and nothing as root', async () => {
    const top = await engine().docker(['top', container.id, '-eo', 'pid,uid,args']);
    const rows = top
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/));
    const programs = rows.map((words) => words.slice(2).join(' '));
    for (const part of ['dist/src/main.js', 'sandbox/launcher', 'bin/postgres', 'gate-starter'])
      expect(programs).toContainEqual(expect.stringContaining(part));
    expect(new Set(rows.map(([, uid]) => uid))).toEqual(new Set(['1000']));
  });

  it('runs scripts of Node as well', async () => {
    const script = await publishedScript(
      api,
      { 'main.js': 'console.log(JSON.stringify([process.argv[2], process.version]))' },
      {
        command: 'node main.js {text}',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      },
    );
    const { body } = await run(api, script, { text: 'a b' });
    expect(body).toMatchObject({ status: 'succeeded', output: ['a b', expect.stringMatching(/^v24\./)] });
  });

  it('sends a secret through the gate that the script never sees', async () => {
    const host = `localhost:${await upstreams.start(echo)}`;
    await api.put('/v1/workspace/secrets/API_KEY', { value: SECRET, hosts: [host] });
    asks = await python(
      api,
      `
import json, os, urllib.request
with urllib.request.urlopen("https://${host}/orders") as answer:
    print(json.dumps({"sent": json.load(answer)["headers"]["authorization"], "known": os.environ["API_KEY"]}))
`,
      { hosts: [host], secrets: { API_KEY: { header: 'authorization', value: 'Bearer {secret}', host } } },
    );
    expectMasked(await asking());
  });

  it('stops in order', async () => {
    expect(await container.stop()).toBe(0);
  });

  it('is replaced by one of another image on the same volume, which goes on', async () => {
    await container.remove();
    await upgradedImage();
    container = await (await start(UPGRADED)).ready();
    expect(await container.exec('cat', '/app/upgraded')).toBe('yes');
    expect(await container.output()).toContain(
      'The credentials of the first start are in /data/first-run.json',
    );
    const { body } = await api.get('/v1/runs?script=country-chart');
    expect(body.items).toMatchObject([{ status: 'succeeded' }]);
    // The value is opened with the key that the first start has made.
    expectMasked(await asking());
  });

  const asking = async (): Promise<Json> => (await run(api, asks)).body;

  function expectMasked(end: Json): void {
    expect(end).toMatchObject({ status: 'succeeded', output: { sent: 'Bearer ***' } });
    expect(JSON.stringify(end)).not.toContain(SECRET);
  }

  /** As a newer version would be: other layers under another name. */
  async function upgradedImage(): Promise<void> {
    const made = await engine().docker([
      ...['create', '--user=0', '--network=none', inject('image'), 'sh', '-c', 'echo yes > /app/upgraded'],
    ]);
    await engine().docker(['start', '--attach', made]);
    const changes = ['USER 1000:1000', 'CMD ["node", "dist/src/main.js"]'].map((line) => `--change=${line}`);
    await engine().docker(['commit', ...changes, made, UPGRADED]);
    await engine().docker(['rm', made]);
  }
});
