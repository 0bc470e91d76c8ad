import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { newDatabase, startGatehouse } from '../support/gatehouse.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const ENV = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' };
const SAYS_SO = 'import sys, time\nprint("began", file=sys.stderr, flush=True)\n';

/** A service that can be killed and started again on its database, and somebody in it. */
class Service {
  process!: GatehouseProcess;
  private workspace!: TestWorkspace;

  private constructor(
    private readonly databaseUrl: string,
    readonly pool: pg.Pool,
  ) {}

  static async start(): Promise<Service> {
    const databaseUrl = await newDatabase();
    const service = new Service(databaseUrl, new pg.Pool({ connectionString: databaseUrl, max: 2 }));
    await service.begin();
    service.workspace = await new Seed(service.process.baseUrl, service.pool).workspace();
    return service;
  }

  async begin(): Promise<void> {
    this.process = await this.beside();
  }

  /** Another process on the same database. */
  beside(env: Record<string, string> = {}): Promise<GatehouseProcess> {
    return startGatehouse({ env: { ...ENV, DATABASE_URL: this.databaseUrl, ...env } });
  }

  get api(): Client {
    const { owner, slug } = this.workspace;
    return createClient({ baseUrl: this.process.baseUrl, token: owner.token, workspace: slug });
  }

  /** The id of a run of this code that has begun. */
  async running(code: string): Promise<string> {
    const { body } = await run(this.api, await python(this.api, `${SAYS_SO}${code}`, { timeout: 900 }));
    await runUntil(this.api, body.id, (seen) => seen.logLines > 0);
    return body.id;
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.process.stop();
  }
}

// Both wait for leases most of the time, and each has a database of its own.
describe.concurrent('a run that executes', () => {
  it('is known as lost within a minute, though no process lives longer than a few seconds', async ({
    onTestFinished,
  }) => {
    const service = await Service.start();
    onTestFinished(() => service.stop());
    const id = await service.running('time.sleep(600)');
    await service.process.kill();
    const killedAt = Date.now();
    const end = async () => {
      const { rows } = await service.pool.query('SELECT error, finished_at FROM runs WHERE id = $1', [id]);
      return rows[0] as { error: string | null; finished_at: Date | null };
    };
    // No more than six seconds of a start count as time in which a lease could have been renewed.
    let uncountedMs = 0;
    while ((await end()).finished_at === null && Date.now() < killedAt + 90_000 + uncountedMs) {
      const beganAt = Date.now();
      await service.begin();
      uncountedMs += Math.max(0, Date.now() - beganAt - 6_000);
      await sleep(4_000);
      await service.process.kill();
    }
    const { error, finished_at: finishedAt } = await end();
    expect(error).toBe('the worker running this was lost');
    expect(finishedAt!.getTime() - killedAt).toBeLessThan(60_000 + uncountedMs);
  }, 240_000);

  it('survives that every process stands still for longer than its lease', async ({ onTestFinished }) => {
    const service = await Service.start();
    onTestFinished(() => service.stop());
    const id = await service.running('time.sleep(40)\nprint("whole")');
    service.process.process.kill('SIGSTOP');
    await sleep(22_000);
    // One that comes up meanwhile may not take it away at once either. From its first tick on the time of the lease goes on.
    const { rows } = await service.pool.query('SELECT max(at)::text AS last FROM lease_clock');
    const ticks = async () =>
      (await service.pool.query('SELECT FROM lease_clock WHERE at > $1::timestamptz', [rows[0].last]))
        .rowCount;
    const other = service.beside({ GATEHOUSE_ROLE: 'api' });
    try {
      await expect.poll(ticks, { timeout: 120_000, interval: 20 }).toBeGreaterThan(0);
      service.process.process.kill('SIGCONT');
      expect(await runUntil(service.api, id, finished, 60_000)).toMatchObject({
        error: null,
        output: 'whole',
      });
    } finally {
      await (await other).stop();
    }
  }, 300_000);
});
