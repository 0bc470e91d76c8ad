import { createHmac } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createClient, type GatehouseProcess, Seed } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

const ENV = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' };
const BLOCKED = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO "hook_receipts"%'`;

let house: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;

beforeAll(async () => {
  house = await startGatehouse({ env: ENV });
  pool = new pg.Pool({ connectionString: house.databaseUrl, max: 4 });
});

afterAll(async () => {
  await pool.end();
  await house.stop();
});

it('a process that is killed before the commit of a receipt has taken nothing, and the sender tries again', async () => {
  const { owner, slug } = await new Seed(house.baseUrl, pool).workspace();
  const api = () => createClient({ baseUrl: house.baseUrl, token: owner.token, workspace: slug });
  const script = await python(api(), 'pass');
  await api().put('/v1/workspace/secrets/HOOK_KEY', { value: 'a-key', hosts: ['api.example.com'] });
  const verify = {
    ...{ scheme: 'hmac', secret: 'HOOK_KEY', header: 'x-signature', algorithm: 'sha256', encoding: 'hex' },
    idHeader: 'x-id',
  };
  const made = await api().post(`/v1/scripts/${script.slug}/hooks`, { name: 'Orders', verify });
  expect(made.status, made.text).toBe(201);
  const { id, url } = made.body as { id: string; url: string };
  const body = '{"order":1}';
  const headers = {
    'content-type': 'application/json',
    'x-id': 'one',
    'x-signature': createHmac('sha256', 'a-key').update(body).digest('hex'),
  };
  const send = () => fetch(new URL(new URL(url).pathname, house.baseUrl), { method: 'POST', headers, body });
  const counts = async () => {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*)::int FROM runs WHERE hook_id = $1) AS runs,
         (SELECT count(*)::int FROM hook_receipts WHERE hook_id = $1) AS receipts,
         (SELECT count(*)::int FROM hook_sightings WHERE hook_id = $1) AS sightings`,
      [id],
    );
    return rows[0];
  };

  const holder = await pool.connect();
  await holder.query('BEGIN; LOCK TABLE hook_receipts IN SHARE MODE');
  const broken = send().then(
    ({ status }) => status,
    () => 'broken off',
  );
  await expect.poll(() => pool.query(BLOCKED).then(({ rowCount }) => rowCount)).toBe(1);
  await house.kill();
  await holder.query('ROLLBACK');
  holder.release();
  expect(await broken).toBe('broken off');

  const { databaseUrl, dataDirectory } = house;
  house = {
    ...(await startGatehouse({ dataDirectory, env: { ...ENV, DATABASE_URL: databaseUrl } })),
    databaseUrl,
  };
  expect(await counts()).toEqual({ runs: 0, receipts: 0, sightings: 0 });
  expect((await send()).status).toBe(202);
  expect(await counts()).toEqual({ runs: 1, receipts: 1, sightings: 1 });
  expect((await send()).status).toBe(202);
  expect(await counts()).toMatchObject({ runs: 1, receipts: 2 });
});
