import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, createClient, freePort } from '../../libs/testing/index.js';
import { python, run, runUntil } from '../support/scripts.js';
import { Container, engine } from './support/container.js';

const SLOW = 'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(%)\nprint("whole")';

describe('an API and a worker in containers of their own', () => {
  const volume = `drain-${randomBytes(4).toString('hex')}`;
  const containers: Container[] = [];
  let there: Client;
  let settings: Record<string, string>;

  /** Master key, database and files are those of the API's volume. */
  async function startWorker(env: Record<string, string | number> = {}): Promise<Container> {
    const worker = await Container.start(
      { env: { GATEHOUSE_ROLE: 'worker', ...settings, ...env }, options: [`--volume=${volume}:/api`] },
      { port: await freePort() },
    );
    containers.push(worker);
    return worker.ready();
  }

  async function startRun(seconds: number): Promise<string> {
    const script = await python(there, SLOW.replace('%', String(seconds)), { timeout: 120 });
    const { body } = await run(there, script);
    await runUntil(there, body.id, (seen) => seen.logLines > 0);
    return body.id as string;
  }

  beforeAll(async () => {
    await engine().docker(['volume', 'create', volume]);
    const api = await Container.start(
      { env: { GATEHOUSE_ROLE: 'api' }, options: [`--volume=${volume}:/data`] },
      { port: await freePort() },
    );
    containers.push(api);
    await api.ready();
    const read = async (name: string): Promise<string> => api.exec('cat', `/data/${name}`);
    const { url } = JSON.parse(await read('postgres.json')) as { url: string };
    settings = {
      DATABASE_URL: url.replace(encodeURIComponent('/data/'), encodeURIComponent('/api/')),
      GATEHOUSE_MASTER_KEY: (await read('master.key')).trim(),
      GATEHOUSE_FILES: 'file:/api/files',
    };
    const { personalAccessToken, workspace } = JSON.parse(await read('first-run.json')) as Record<
      string,
      string
    >;
    there = createClient({ baseUrl: api.baseUrl, token: personalAccessToken!, workspace: workspace! });
  });
  afterAll(async () => {
    for (const container of containers.reverse()) await container.remove();
    await engine().attempt(['volume', 'rm', volume]);
  });

  it('runs what the API was asked for, and serves nothing but its health', async () => {
    const worker = await startWorker();
    const { body } = await run(there, await python(there, 'print("ran")'));
    expect(body).toMatchObject({ status: 'succeeded', output: 'ran' });
    expect((await fetch(`${worker.baseUrl}/v1/workspace`)).status).toBe(404);
    expect(await worker.exec('node', 'healthcheck.mjs')).toContain('limits: reduced');
    expect(await worker.stop()).toBe(0);
  });

  it('lets a script end before it stops', async () => {
    const worker = await startWorker();
    const id = await startRun(15);
    expect(await worker.stop()).toBe(0);
    expect(await worker.output()).toContain('for 1 running script(s)');
    expect((await there.get(`/v1/runs/${id}`)).body).toMatchObject({ status: 'succeeded', output: 'whole' });
  });

  it('ends a script that takes longer than the drain, and is not killed itself', async () => {
    const worker = await startWorker({ GATEHOUSE_DRAIN_SECONDS: 1 });
    const id = await startRun(100);
    expect(await worker.stop()).toBe(0);
    expect((await there.get(`/v1/runs/${id}`)).body).toMatchObject({ phase: 'finished', status: 'failed' });
  });
});
