import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, type TestScript } from '../support/scripts.js';

const RUNS = 400;
const KILLS = 3;

let service: GatehouseProcess;
let databaseUrl: string;
let pool: pg.Pool;
let token: string;
let workspace: string;
let script: TestScript;

const api = (): Client => createClient({ baseUrl: service.baseUrl, token, workspace });

beforeAll(async () => {
  const started = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' } });
  service = started;
  ({ databaseUrl } = started);
  pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const world = await new Seed(service.baseUrl, pool).workspace();
  [token, workspace] = [world.owner.token, world.slug];
  script = await python(api(), 'print(1)');
  const startAt = new Date(Date.now() + 3_600_000).toISOString();
  const inputs = Array.from({ length: RUNS }, () => ({}));
  const batch = await api().post(`/v1/scripts/${script.slug}/runs/batch`, { inputs, startAt });
  expect(batch.status, batch.text).toBe(202);
  // What is run again waits, so that nothing but the operation goes on.
  await api().post('/v1/workspace/queues', { name: 'stopped', paused: true });
  await api().patch(`/v1/scripts/${script.slug}`, { queue: 'stopped' });
});

afterAll(async () => {
  await pool.end();
  await service.stop();
});

const one = async (sql: string, ...parameters: unknown[]): Promise<Json> =>
  (await pool.query<Json>(sql, parameters)).rows[0]!;

/** Kills the service, and starts it again on what it has left. */
async function killed(): Promise<void> {
  const { dataDirectory } = service;
  await service.kill();
  service = await startGatehouse({
    dataDirectory,
    env: { DATABASE_URL: databaseUrl, GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' },
  });
}

/** Kills the service again and again while it is at it, and gives the operation as it ended. */
async function throughKills(id: string): Promise<Json> {
  const read = () => one('SELECT status, done, skipped, failed FROM run_operations WHERE id = $1', id);
  for (let kill = 1; kill <= KILLS; kill++) {
    const isFurther = async () => ((await read()).done as number) >= (kill * RUNS) / (KILLS + 1) / 2;
    await expect.poll(isFurther, { timeout: 120_000, interval: 5 }).toBe(true);
    await killed();
  }
  const statusOf = async () => (await read()).status;
  await expect.poll(statusOf, { timeout: 180_000, interval: 250 }).not.toBe('running');
  return read();
}

describe('an operation on many runs, while the service is killed', () => {
  it('cancels each of them, with one event and one entry', async () => {
    const asked = await api().post('/v1/runs/cancel', { script: script.slug });
    expect(asked.status, asked.text).toBe(202);
    const ended = await throughKills(asked.body.id as string);
    expect(ended).toEqual({ status: 'completed', done: RUNS, skipped: 0, failed: 0 });
    expect(
      await one(
        `SELECT count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
           (SELECT count(*)::int FROM events e WHERE e.type = 'run.cancelled') AS events,
           (SELECT count(*)::int FROM audit_events a WHERE a.action = 'run.cancelled') AS audited
         FROM runs WHERE script_id = $1`,
        script.id,
      ),
    ).toEqual({ cancelled: RUNS, events: RUNS, audited: RUNS });
  }, 400_000);

  it('runs each of them again once', async () => {
    const before = await one(`SELECT sum(used)::int AS used FROM usage_counters WHERE meter = 'runs'`);
    const asked = await api().post('/v1/runs/rerun', { script: script.slug, status: 'cancelled' });
    expect(asked.status, asked.text).toBe(202);
    const ended = await throughKills(asked.body.id as string);
    expect(ended).toEqual({ status: 'completed', done: RUNS, skipped: 0, failed: 0 });
    expect(
      await one(
        `SELECT count(*)::int AS runs, count(DISTINCT cause_id)::int AS origins,
           (SELECT count(*)::int FROM audit_events a WHERE a.action = 'run.started' AND a.target_id = ANY(array_agg(r.id))) AS audited,
           (SELECT sum(used)::int FROM usage_counters WHERE meter = 'runs') AS used
         FROM runs r WHERE script_id = $1 AND cause_type = 'rerun'`,
        script.id,
      ),
    ).toEqual({ runs: RUNS, origins: RUNS, audited: RUNS, used: (before.used as number) + RUNS });
  }, 400_000);
});

describe('an operation on many runs, killed in the middle of a step', () => {
  it('has done nothing of it, and does all of it once', async () => {
    const odd = await python(api(), 'print(1)');
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const inputs = Array.from({ length: 40 }, () => ({}));
    const batch = await api().post(`/v1/scripts/${odd.slug}/runs/batch`, { inputs, startAt });
    const cancelled = await api().post('/v1/runs/cancel', { script: odd.slug });
    const statusOf = async (id: string) => (await api().get(`/v1/runs/operations/${id}`)).body.status;
    await expect.poll(() => statusOf(cancelled.body.id as string)).toBe('completed');
    await api().patch(`/v1/scripts/${odd.slug}`, { queue: 'stopped' });
    // The tenth rerun of the second step waits for the test.
    await pool.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$`);
    await pool.query(`CREATE TRIGGER hold BEFORE INSERT ON runs FOR EACH ROW
      WHEN (NEW.cause_id = '${(batch.body.runs as string[])[29]}') EXECUTE FUNCTION hold()`);
    const holder = await pool.connect();
    await holder.query('SELECT pg_advisory_lock(4711)');
    const asked = await api().post('/v1/runs/rerun', { script: odd.slug });
    const isHeld = `SELECT count(*)::int AS waits FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`;
    await expect.poll(async () => (await one(isHeld)).waits).toBe(1);
    await killed();
    await holder.query('SELECT pg_advisory_unlock(4711)');
    holder.release();
    await expect.poll(() => statusOf(asked.body.id as string)).toBe('completed');
    expect(
      await one(
        `SELECT count(*)::int AS runs, count(DISTINCT cause_id)::int AS origins FROM runs
         WHERE script_id = $1 AND cause_type = 'rerun'`,
        odd.id,
      ),
    ).toEqual({ runs: 40, origins: 40 });
  }, 200_000);
});

describe('an operation of which one run cannot be changed, whoever tries', () => {
  it('leaves that out after some tries, and does the others', async () => {
    const odd = await python(api(), 'print(1)');
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const batch = await api().post(`/v1/scripts/${odd.slug}/runs/batch`, { inputs: [{}, {}, {}], startAt });
    const [, second] = batch.body.runs as string[];
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'not this one'; END $$`);
    await pool.query(`CREATE TRIGGER refuse BEFORE UPDATE ON runs FOR EACH ROW
      WHEN (OLD.id = '${second}') EXECUTE FUNCTION refuse()`);
    const asked = await api().post('/v1/runs/cancel', { script: odd.slug });
    const path = `/v1/runs/operations/${asked.body.id}`;
    const statusOf = async () => {
      // Nobody waits for the end of a claim here.
      await pool.query('UPDATE run_operations SET due_at = now() WHERE due_at > now()');
      return (await api().get(path)).body.status;
    };
    await expect.poll(statusOf, { timeout: 120_000, interval: 500 }).toBe('completed');
    const ended = (await api().get(path)).body;
    expect(ended).toMatchObject({ done: 2, skipped: 0, failed: 1 });
    expect(ended.leftOut).toMatchObject([{ runId: second, result: 'failed' }]);
  }, 200_000);
});
