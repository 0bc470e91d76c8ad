import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, type TestScript } from '../support/scripts.js';

const RUNS = 300;
const KILLS = 4;
const ENV = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' };
const PATIENCE = { timeout: 180_000, interval: 5 };

let service: GatehouseProcess;
let databaseUrl: string;
let pool: pg.Pool;
let token: string;
let workspace: string;
let script: TestScript;

const api = (): Client => createClient({ baseUrl: service.baseUrl, token, workspace });
const count = async (what: string): Promise<number> =>
  (await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${what}`)).rows[0]!.count;

beforeAll(async () => {
  const started = await startGatehouse({ env: ENV });
  service = started;
  ({ databaseUrl } = started);
  pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const world = await new Seed(service.baseUrl, pool).workspace();
  [token, workspace] = [world.owner.token, world.slug];
  script = await python(api(), 'print(1)', { inputSchema: { type: 'object', properties: { word: {} } } });
});

afterAll(async () => {
  await pool.end();
  await service.stop();
});

it('each run is found by its words, however often whoever reads them is killed', async () => {
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const ids: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const inputs = Array.from({ length: RUNS / KILLS }, (_, nth) => ({ word: `killed${ids.length + nth}` }));
    const body = { inputs, startAt, labels: { all: 'survivors' } };
    const batch = await api().post(`/v1/scripts/${script.slug}/runs/batch`, body);
    expect(batch.status, batch.text).toBe(202);
    ids.push(...(batch.body.runs as string[]));
    // Those that are to be read, or have been already.
    const begun = `(SELECT FROM unread_runs UNION ALL SELECT FROM run_words WHERE run_id = '${ids.at(-1)!}') AS begun`;
    await expect.poll(() => count(begun), PATIENCE).toBeGreaterThan(0);
    const { dataDirectory } = service;
    await service.kill();
    service = await startGatehouse({ dataDirectory, env: { DATABASE_URL: databaseUrl, ...ENV } });
  }
  await expect.poll(() => count('events WHERE dispatched_at IS NULL'), PATIENCE).toBe(0);
  await expect.poll(() => count('unread_runs'), PATIENCE).toBe(0);
  for (const [nth, id] of ids.entries()) {
    const { rows } = await pool.query(
      'SELECT words @@ $2::tsquery AS found FROM run_words WHERE run_id = $1',
      [id, `'killed${nth}' & 'survivors'`],
    );
    expect([nth, rows]).toEqual([nth, [{ found: true }]]);
  }
  const { body } = await api().get('/v1/runs?q=survivors+killed299');
  expect((body.items as Json[]).map(({ id }) => id)).toEqual([ids[299]]);
});

it('many who look for what takes long wait for each other, and for nobody else', async () => {
  const locker = await pool.connect();
  let searches: Promise<Answer>[] = [];
  try {
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE run_words IN ACCESS EXCLUSIVE MODE');
    searches = Array.from({ length: 30 }, () => api().get('/v1/runs?q=survivors'));
    const plain = await api().get('/v1/runs?limit=1');
    expect([plain.status, plain.body.items]).toEqual([200, [expect.anything()]]);
    const first = await Promise.race(searches);
    expect(first.status).toBe(429);
    const told = (await Promise.all(searches)).map(({ status, body }) => {
      const { details = [] } = body.error as { details?: { path: string }[] };
      return [status, ...details.map(({ path }) => path)].join(' ');
    });
    expect(new Set(told)).toEqual(new Set(['400 q', '429']));
  } finally {
    await locker.query('ROLLBACK');
    locker.release();
    await Promise.allSettled(searches);
  }
  expect((await api().get('/v1/runs?q=survivors')).body.items).toHaveLength(25);
});
