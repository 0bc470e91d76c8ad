import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { archiveOf, newSlug } from '../support/scripts.js';

let api: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let there: Client;

const worker = () =>
  startGatehouse({
    dataDirectory: api.dataDirectory,
    env: { GATEHOUSE_ROLE: 'worker', DATABASE_URL: api.databaseUrl },
  });

beforeAll(async () => {
  api = await startGatehouse({
    env: { GATEHOUSE_ROLE: 'api', GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' },
  });
  pool = new pg.Pool({ connectionString: api.databaseUrl, max: 2 });
  const workspace = await new Seed(api.baseUrl, pool).workspace();
  there = createClient({ baseUrl: api.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
});

afterAll(async () => {
  await pool.end();
  await api.stop();
});

async function upload(build: string, archive?: string) {
  const slug = newSlug();
  await there.post('/v1/scripts', { slug, name: slug });
  return there.post(`/v1/scripts/${slug}/versions`, {
    archive: archive ?? (await archiveOf({ 'main.py': '' })),
    build,
  });
}

async function untilTaken(): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(`SELECT FROM builds WHERE status = 'running'`);
    if (rows.length > 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe('an installation', () => {
  it('is refused for now where no worker runs', async () => {
    const { status, headers, body } = await upload('true');
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(body).toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('no worker') },
    });
  }, 40_000);

  it('is begun anew by another worker when its own is killed, and its request is answered', async () => {
    const doomed = await worker();
    const asked = upload('sleep 4; echo whole');
    await untilTaken();
    await doomed.kill();
    const other = await worker();
    try {
      const { status, body, text } = await asked;
      expect(status, text).toBe(201);
      expect(body).toMatchObject({ number: 1, buildLog: 'whole\n' });
      expect((await pool.query('SELECT claim FROM builds')).rows).toEqual([{ claim: 2 }]);
    } finally {
      await other.stop();
    }
  }, 120_000);

  it('fails when its worker was killed twice, is not taken a third time, and not soon again', async () => {
    await pool.query('DELETE FROM builds');
    const archive = await archiveOf({ 'main.py': '# deadly' });
    const asked = upload('sleep 300', archive);
    for (const claim of [1, 2]) {
      const doomed = await worker();
      await expect
        .poll(async () => (await pool.query('SELECT status, claim FROM builds')).rows, { timeout: 60_000 })
        .toEqual([{ status: 'running', claim }]);
      await doomed.kill();
    }
    const other = await worker();
    try {
      const { status, body } = await asked;
      expect(status).toBe(400);
      expect(body.error.message).toContain('the worker was lost during the installation, 2 times');
      expect((await pool.query('SELECT status, claim FROM builds')).rows).toEqual([
        { status: 'failed', claim: 2 },
      ]);
      // A client that repeats the request does not end another two.
      expect((await upload('sleep 300', archive)).status).toBe(400);
      expect((await pool.query('SELECT FROM builds')).rowCount).toBe(1);
    } finally {
      await other.stop();
    }
  }, 180_000);

  it('is given back by a worker that is stopped', async () => {
    const leaving = await worker();
    const asked = upload('sleep 3; echo whole');
    await untilTaken();
    const begin = Date.now();
    await leaving.stop();
    expect(Date.now() - begin).toBeLessThan(10_000);
    const other = await worker();
    try {
      expect((await asked).status).toBe(201);
    } finally {
      await other.stop();
    }
  }, 60_000);
});
