import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  createClient,
  startGatehouse,
} from '../../libs/testing/index.js';
import { EmbeddedPostgres } from '../../src/core/database/embedded/embedded-postgres.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

let directory: string;
let database: EmbeddedPostgres;
let gatehouse: GatehouseProcess;
let api: Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
  database = new EmbeddedPostgres({ dataDir: directory });
  const { url } = await database.start();
  gatehouse = await startGatehouse({
    env: { DATABASE_URL: url, GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' },
  });
  const pg = await import('pg');
  const pool = new pg.default.Pool({ connectionString: url, max: 1 });
  const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  await pool.end();
  api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
});

afterAll(async () => {
  await gatehouse.stop();
  await database.stop();
  await rm(directory, { recursive: true, force: true });
});

it('while the database is away every route says 503, and a run that executes survives it', async () => {
  const script = await python(
    api,
    'import sys, time\nprint("began", file=sys.stderr, flush=True)\ntime.sleep(4)\nprint("survived")',
    { timeout: 120 },
  );
  const { body } = await run(api, script);
  await runUntil(api, body.id, (seen) => seen.logLines > 0);
  await database.stop();

  const away = await api.get(`/v1/runs/${body.id}`);
  expect(away.status).toBe(503);
  expect(away.body.error.code).toBe('unavailable');
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await run(api, script)).status).toBe(503);
  // What readiness found a moment ago is answered for up to a second.
  await expect.poll(async () => (await api.get('/health/ready')).status).toBe(503);
  expect((await api.get('/health/live')).status).toBe(200);

  await database.start();
  await expect.poll(async () => (await api.get(`/v1/runs/${body.id}`)).status, { timeout: 20_000 }).toBe(200);
  expect(await runUntil(api, body.id, finished, 40_000)).toMatchObject({
    status: 'succeeded',
    output: 'survived',
  });
  expect((await run(api, await python(api, 'print("after")'))).body).toMatchObject({ output: 'after' });
}, 120_000);
