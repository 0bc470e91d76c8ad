import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { newSlug, python } from '../support/scripts.js';

const ATTEMPTS = 3;

let house: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;

beforeAll(async () => {
  house = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' } });
  pool = new pg.Pool({ connectionString: house.databaseUrl, max: 3 });
});

afterAll(async () => {
  await pool.end();
  await house.stop();
});

interface World {
  workspace: TestWorkspace;
  api: () => Client;
}

async function world(): Promise<World> {
  const workspace = await new Seed(house.baseUrl, pool).workspace();
  const { owner, slug } = workspace;
  return {
    workspace,
    api: () => createClient({ baseUrl: house.baseUrl, token: owner.token, workspace: slug }),
  };
}

/** A trigger that runs a script whenever a script is made. */
async function trigger({ api }: World, name: string): Promise<string> {
  const script = await python(api(), 'pass');
  const body = { name, eventType: 'script.created', filter: { 'script.name': 'Deadly' } };
  const made = await api().post(`/v1/scripts/${script.slug}/triggers`, body);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const makeScript = ({ api }: World) => api().post('/v1/scripts', { slug: newSlug(), name: 'Deadly' });

async function runsOf(triggerId: string): Promise<number> {
  const { rowCount } = await pool.query('SELECT FROM runs WHERE trigger_id = $1', [triggerId]);
  return rowCount!;
}

/**
 * With its connection, which waits for us and nobody else. What it had in progress stays its own, however long the next
 * start takes, until the test says that the lease is over.
 */
async function kill(): Promise<void> {
  await house.kill();
  for (const waiting of [BLOCKED, FIRING]) await pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
  for (const table of ['waiting_firings', 'waiting_schedules'])
    await pool.query(`UPDATE ${table} SET lease_until = 'infinity' WHERE worker_id IS NOT NULL`);
  const { databaseUrl, dataDirectory } = house;
  const env = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0', DATABASE_URL: databaseUrl };
  house = { ...(await startGatehouse({ dataDirectory, env })), databaseUrl };
}

const BLOCKED = `
  FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'FROM "?triggers'`;

/** What the sweep does of itself once the killed process's lease is over. */
const leaseIsOver = (table: 'waiting_firings' | 'waiting_schedules') =>
  pool.query(`UPDATE ${table} SET worker_id = NULL, lease_until = NULL`);

describe('an event whose triggers kill the service each time that they are fired', () => {
  it('is set aside after three attempts, with the trigger that does it switched off, and no other', async () => {
    const [attacker, bystander] = [await world(), await world()];
    const [harmless, deadly, last] = [
      await trigger(attacker, 'harmless'),
      await trigger(attacker, 'deadly'),
      await trigger(attacker, 'last'),
    ];
    const others = await trigger(bystander, 'other');
    // Whoever fires it waits here until the process dies.
    const lock = await pool.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM triggers WHERE id = $1 FOR UPDATE', [deadly]);
    expect((await makeScript(attacker)).status).toBe(201);
    // Once all together, and then one by one.
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const begun = 'SELECT FROM waiting_firings WHERE worker_id IS NOT NULL AND attempts = $1';
      const count = async () => (await pool.query(begun, [attempt])).rowCount;
      await expect.poll(count).toBe(1);
      await expect.poll(async () => (await pool.query(`SELECT ${BLOCKED}`)).rowCount).toBe(1);
      // Meanwhile nobody else waits for it.
      await makeScript(bystander);
      await expect.poll(() => runsOf(others)).toBe(attempt);
      await kill();
      if (attempt === ATTEMPTS) {
        // It would come through now, but is not tried any more.
        await lock.query('ROLLBACK');
        lock.release();
      }
      await leaseIsOver('waiting_firings');
    }
    await expect.poll(() => runsOf(last)).toBe(1);
    expect(await runsOf(harmless)).toBe(1);
    expect(await runsOf(deadly)).toBe(0);
    const { rows } = await pool.query(
      `SELECT t.enabled, t.disabled_reason AS reason,
         (SELECT count(*)::int FROM events e WHERE e.type = 'trigger.disabled' AND e.data ->> 'id' = t.id) AS told,
         (SELECT count(*)::int FROM audit_events a WHERE a.action = 'trigger.disabled' AND a.target_id = t.id) AS audited
       FROM triggers t WHERE t.workspace_id = $1 ORDER BY t.id`,
      [attacker.workspace.id],
    );
    const fine = { enabled: true, reason: null, told: 0, audited: 0 };
    const off = { enabled: false, reason: expect.stringContaining('began 3 times'), told: 1, audited: 1 };
    expect(rows).toEqual([fine, off, fine]);
    await expect.poll(async () => (await pool.query('SELECT FROM waiting_firings')).rowCount).toBe(0);
  }, 240_000);
});

/** The services that wait for the lock on a schedule, to fire it. */
const FIRING = `
  FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'JOIN schedules s'`;

/** Schedules that are due once in many years. */
async function schedules({ api }: World, names: string[]): Promise<string[]> {
  const { slug } = await python(api(), 'pass');
  const ids: string[] = [];
  for (const name of names) {
    const made = await api().post(`/v1/scripts/${slug}/schedules`, { name, cron: '0 0 29 2 *' });
    expect(made.status, made.text).toBe(201);
    ids.push(made.body.id);
  }
  return ids;
}

async function fallDue({ workspace }: World): Promise<void> {
  await pool.query('UPDATE schedules SET next_run_at = now() WHERE workspace_id = $1', [workspace.id]);
}

async function runsBy(scheduleId: string): Promise<number> {
  return (await pool.query('SELECT FROM runs WHERE schedule_id = $1', [scheduleId])).rowCount!;
}

describe('a schedule that kills the service each time that it is fired', () => {
  it('is switched off after three attempts, and no other is', async () => {
    const [attacker, bystander] = [await world(), await world()];
    const [harmless, deadly, last] = await schedules(attacker, ['harmless', 'deadly', 'last']);
    const lock = await pool.connect();
    // Locked as soon as it is due: whoever fires it waits here until the process dies.
    await lock.query(`BEGIN; UPDATE schedules SET next_run_at = now() + interval '2 seconds'
      WHERE workspace_id = '${attacker.workspace.id}'; COMMIT AND CHAIN;
      SELECT FROM schedules WHERE id = '${deadly}' FOR UPDATE`);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const begun = 'SELECT FROM waiting_schedules WHERE id = $1 AND worker_id IS NOT NULL AND attempts = $2';
      const count = async () => (await pool.query(begun, [deadly, attempt])).rowCount;
      await expect.poll(count).toBe(1);
      await expect.poll(async () => (await pool.query(`SELECT ${FIRING}`)).rowCount).toBe(1);
      // Meanwhile nobody else waits for it.
      const [others] = await schedules(bystander, ['other']);
      await fallDue(bystander);
      await expect.poll(() => runsBy(others!)).toBe(1);
      await kill();
      if (attempt === ATTEMPTS) {
        // It would come through now, but is not tried any more.
        await lock.query('ROLLBACK');
        lock.release();
      }
      await leaseIsOver('waiting_schedules');
    }
    const off = 'SELECT FROM schedules WHERE id = $1 AND NOT enabled';
    await expect.poll(async () => (await pool.query(off, [deadly])).rowCount).toBe(1);
    await expect.poll(() => runsBy(last!)).toBe(1);
    expect([await runsBy(harmless!), await runsBy(deadly!)]).toEqual([1, 0]);
    const { rows } = await pool.query(
      `SELECT s.name, s.disabled_reason AS reason,
         (SELECT count(*)::int FROM events e WHERE e.type = 'schedule.disabled' AND e.data ->> 'id' = s.id) AS told,
         (SELECT count(*)::int FROM audit_events a WHERE a.action = 'schedule.disabled' AND a.target_id = s.id) AS audited
       FROM schedules s WHERE NOT s.enabled`,
    );
    const reason = expect.stringContaining('began 3 times') as unknown;
    expect(rows).toEqual([{ name: 'deadly', reason, told: 1, audited: 1 }]);
    await expect.poll(async () => (await pool.query('SELECT FROM waiting_schedules')).rowCount).toBe(0);
  }, 240_000);
});
