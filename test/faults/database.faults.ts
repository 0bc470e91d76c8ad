import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  type TestPerson,
  createClient,
  startGatehouse,
} from '../../libs/testing/index.js';
import { EmbeddedPostgres } from '../../src/core/database/embedded/embedded-postgres.js';
import { mcpClient, said } from '../support/mcp.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

let directory: string;
let database: EmbeddedPostgres;
let gatehouse: GatehouseProcess;
let pool: pg.Pool;
let api: Client;
let owner: TestPerson;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
  database = new EmbeddedPostgres({ dataDir: directory });
  const { url } = await database.start();
  gatehouse = await startGatehouse({
    env: { DATABASE_URL: url, GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' },
  });
  pool = new pg.Pool({ connectionString: url, max: 1 });
  // Its idle connection ends with the database.
  pool.on('error', () => undefined);
  const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  owner = workspace.owner;
  api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
});

afterAll(async () => {
  await pool.end();
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
  // What readiness found a moment ago is returned for up to a second.
  await expect.poll(async () => (await api.get('/health/ready')).status).toBe(503);
  expect((await api.get('/health/live')).status).toBe(200);

  await database.start();
  await expect.poll(async () => (await api.get(`/v1/runs/${body.id}`)).status).toBe(200);
  expect(await runUntil(api, body.id, finished, 90_000)).toMatchObject({
    status: 'succeeded',
    output: 'survived',
  });
  expect((await run(api, await python(api, 'print("after")'))).body).toMatchObject({ output: 'after' });
});

it('while the database is away agents are told so, and go on afterwards', async () => {
  const token = await owner.agent();
  const { baseUrl } = gatehouse;
  const script = await python(api, 'import time\ntime.sleep(12)\nprint("survived")', { timeout: 120 });
  const mcp = await mcpClient(token, { url: baseUrl });
  const started = said(await mcp.callTool({ name: script.slug, arguments: {} }));
  const runId = started.structured.runId as string;
  // It may fail before anything here waits for it.
  const waiting = Promise.allSettled([
    mcp.callTool({ name: 'wait_for_run', arguments: { runId, seconds: 50 } }),
  ]);
  await runUntil(api, runId, ({ phase }) => phase === 'executing');
  await database.stop();

  // A call that waited gets its result as well, be it by the tool or by HTTP.
  const [outcome] = await waiting;
  expect(JSON.stringify(outcome, errorsToo)).toContain('The database cannot be reached just now');
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const away = await createClient({ baseUrl, token }).post('/mcp', list, {
    accept: 'application/json, text/event-stream',
  });
  expect([away.status, away.body.error.code]).toEqual([503, 'unavailable']);
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect(mcp.callTool({ name: script.slug, arguments: {} })).rejects.toThrow(/503|cannot be reached/);

  await database.start();
  await expect.poll(async () => (await api.get(`/v1/runs/${runId}`)).status).toBe(200);
  const again = { name: 'wait_for_run', arguments: { runId, seconds: 50 } };
  expect(said(await mcp.callTool(again)).structured).toMatchObject({
    status: 'succeeded',
    output: 'survived',
  });
  await mcp.close();
});

const errorsToo = (_: string, value: unknown): unknown => (value instanceof Error ? value.message : value);
