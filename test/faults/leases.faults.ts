import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type GatehouseProcess, Seed, type TestWorkspace, createClient } from '../../libs/testing/index.js';
import { newDatabase, startGatehouse } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const ENV = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' };
const SAYS_SO = 'import sys, time\nprint("began", file=sys.stderr, flush=True)\n';

let databaseUrl: string;
let pool: pg.Pool;
let workspace: TestWorkspace;
let gatehouse: GatehouseProcess;

const begin = async (): Promise<void> => {
  gatehouse = await startGatehouse({ env: { ...ENV, DATABASE_URL: databaseUrl } });
};
const api = () =>
  createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: workspace.slug });

beforeAll(async () => {
  databaseUrl = await newDatabase();
  pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  await begin();
  workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
});

afterAll(async () => {
  await pool.end();
  await gatehouse.stop();
});

describe('a run that executes', () => {
  it('is known as lost within a minute, though no process lives longer than a few seconds', async () => {
    const script = await python(api(), `${SAYS_SO}time.sleep(600)`, { timeout: 900 });
    const { body } = await run(api(), script);
    await runUntil(api(), body.id, (seen) => seen.logLines > 0);
    await gatehouse.kill();
    const killedAt = Date.now();
    const end = async () => {
      const { rows } = await pool.query('SELECT error, finished_at FROM runs WHERE id = $1', [body.id]);
      return rows[0] as { error: string | null; finished_at: Date | null };
    };
    // No more than six seconds of a start count as time in which a lease could have been renewed.
    let uncountedMs = 0;
    while ((await end()).finished_at === null && Date.now() < killedAt + 90_000 + uncountedMs) {
      const beganAt = Date.now();
      await begin();
      uncountedMs += Math.max(0, Date.now() - beganAt - 6_000);
      await sleep(4_000);
      await gatehouse.kill();
    }
    const { error, finished_at: finishedAt } = await end();
    await begin();
    expect(error).toBe('the worker running this was lost');
    expect(finishedAt!.getTime() - killedAt).toBeLessThan(60_000 + uncountedMs);
  }, 240_000);

  it('survives that every process stands still for longer than its lease', async () => {
    const script = await python(api(), `${SAYS_SO}time.sleep(45)\nprint("whole")`, { timeout: 100 });
    const { body } = await run(api(), script);
    await runUntil(api(), body.id, (seen) => seen.logLines > 0);
    gatehouse.process.kill('SIGSTOP');
    // One that comes up meanwhile may not take it away at once either.
    await sleep(30_000);
    const other = await startGatehouse({ env: { ...ENV, DATABASE_URL: databaseUrl, GATEHOUSE_ROLE: 'api' } });
    try {
      gatehouse.process.kill('SIGCONT');
      expect(await runUntil(api(), body.id, finished, 60_000)).toMatchObject({
        error: null,
        output: 'whole',
      });
    } finally {
      await other.stop();
    }
  }, 150_000);
});
