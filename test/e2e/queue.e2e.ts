import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { Redis, redisProgram } from '../support/redis.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const backends = redisProgram === null ? (['PostgreSQL'] as const) : (['PostgreSQL', 'Redis'] as const);

it('is tested on both backends', () => {
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') expect(backends).toHaveLength(2);
});

describe.each(backends)('the queue on %s', (backend) => {
  let redis: Redis | null = null;
  let server: GatehouseProcess & { databaseUrl: string };
  let worker: GatehouseProcess;
  let pool: pg.Pool;
  let api: Client;

  beforeAll(async () => {
    redis = backend === 'Redis' ? await Redis.start() : null;
    const queue: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
    server = await startGatehouse({
      env: { GATEHOUSE_ROLE: 'api', GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0', ...queue },
    });
    worker = await startGatehouse({
      dataDirectory: server.dataDirectory,
      env: { GATEHOUSE_ROLE: 'worker', DATABASE_URL: server.databaseUrl, ...queue },
    });
    pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1 });
    const workspace = await new Seed(server.baseUrl, pool).workspace();
    api = createClient({ baseUrl: server.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
  });

  afterAll(async () => {
    await pool?.end();
    await worker?.stop();
    await server?.stop();
    await redis?.remove();
  });

  it('wakes a worker in another process', async () => {
    const script = await python(api, 'print("woken")');
    expect((await run(api, script)).body).toMatchObject({ status: 'succeeded', output: 'woken' });
    const { rows } = await pool.query(`SELECT to_regclass('bullmq.meta') IS NOT NULL AS there`);
    expect(rows).toEqual([{ there: true }]);
    if (redis) expect(await redis.command('EXISTS bull:runs:meta')).toBe(':1\r\n');
    else
      expect((await pool.query(`SELECT FROM bullmq.meta WHERE queue = 'runs'`)).rowCount).toBeGreaterThan(0);
  });

  it('holds nothing: what waits in it can be lost, and every run is still carried out', async () => {
    const script = await python(api, 'print("found")', { timeout: 60 });
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) {
      ids.push((await run(api, script)).body.id);
      if (redis) await redis.command('FLUSHALL');
      else await pool.query('DELETE FROM bullmq.job');
    }
    for (const id of ids) expect(await runUntil(api, id, finished)).toMatchObject({ status: 'succeeded' });
  });

  if (backend !== 'Redis') return;

  it('may be away: readiness says so, runs go on, and it is used again', async () => {
    const script = await python(api, 'print("without")');
    await redis!.stop();
    expect((await run(api, script)).body).toMatchObject({ status: 'succeeded', output: 'without' });
    await expect.poll(async () => (await api.get('/health/ready')).status, { timeout: 10_000 }).toBe(503);
    await redis!.start();
    await expect.poll(async () => (await api.get('/health/ready')).status, { timeout: 20_000 }).toBe(200);
    expect((await run(api, script)).body).toMatchObject({ status: 'succeeded' });
  });
});
