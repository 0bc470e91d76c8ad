import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { archiveOf, newSlug } from '../support/scripts.js';

let api: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let there: Client;
let elsewhere: Client;

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
  [there, elsewhere] = [await someone(), await someone()];
});

afterAll(async () => {
  await pool.end();
  await api.stop();
});

/** Somebody with a workspace of their own. */
async function someone(): Promise<Client> {
  const { owner, slug } = await new Seed(api.baseUrl, pool).workspace();
  return createClient({ baseUrl: api.baseUrl, token: owner.token, workspace: slug });
}

async function upload(build: string, archive?: string, client = there) {
  const slug = newSlug();
  await client.post('/v1/scripts', { slug, name: slug });
  return client.post(`/v1/scripts/${slug}/versions`, {
    archive: archive ?? (await archiveOf({ 'main.py': '' })),
    build,
  });
}

/** Every installation, those of the first workspace first. */
const builds = async (): Promise<{ status: string; claim: number }[]> =>
  (await pool.query('SELECT status, claim FROM builds ORDER BY workspace_id, id')).rows;

async function untilTaken(count = 1): Promise<void> {
  const taken = async () => (await builds()).filter(({ status }) => status === 'running').length;
  await expect.poll(taken, { interval: 50 }).toBe(count);
}

describe('an installation', () => {
  it('is refused for now where no worker runs', async () => {
    const { status, headers, body } = await upload('true');
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(body).toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('no worker') },
    });
  });

  it('is begun anew by another worker when its own is killed, fails when that happens twice, and is given back by one that is stopped', async () => {
    const archive = await archiveOf({ 'main.py': '# deadly' });
    const first = await worker();
    const harmless = upload('sleep 6; echo whole');
    const deadly = upload('sleep 300', archive, elsewhere);
    await untilTaken(2);
    await first.kill();

    const second = await worker();
    const { status, body, text } = await harmless;
    expect(status, text).toBe(201);
    expect(body).toMatchObject({ number: 1, buildLog: 'whole\n' });
    expect(await builds()).toEqual([
      { status: 'succeeded', claim: 2 },
      { status: 'running', claim: 2 },
    ]);
    await second.kill();

    const third = await worker();
    const failed = await deadly;
    expect(failed.status).toBe(400);
    expect(failed.body.error.message).toContain('the worker was lost during the installation, 2 times');
    expect((await builds())[1]).toEqual({ status: 'failed', claim: 2 });
    // A client that repeats the request does not end another two.
    expect((await upload('sleep 300', archive, elsewhere)).status).toBe(400);
    expect(await builds()).toHaveLength(2);

    const given = upload('sleep 3; echo whole');
    await untilTaken();
    await third.stop();
    const last = await worker();
    try {
      expect((await given).status).toBe(201);
    } finally {
      await last.stop();
    }
  }, 400_000);
});
