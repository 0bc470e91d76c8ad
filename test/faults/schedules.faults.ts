import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { type TestScript, python } from '../support/scripts.js';
import { Workerless } from './support/workerless.js';

let house: Workerless;
let pool: pg.Pool;
let workspace: TestWorkspace;
let there: Client;
let script: TestScript;

/** It executes little while it fires. */
const worker = () => house.worker({ GATEHOUSE_RUN_CONCURRENCY: '1' });

beforeAll(async () => {
  house = await Workerless.start();
  pool = house.pool;
  there = house.as();
  workspace = house.workspace;
  script = await python(there, 'pass');
  // What the first start of all services has left: its example's run.
  await pool.query('TRUNCATE runs, events, schedules CASCADE');
});
afterAll(() => house?.stop());

/** Schedules that are due once in many years, the first time when `due` says. */
async function seed(count: number, due: string): Promise<void> {
  await pool.query(
    `INSERT INTO schedules (id, workspace_id, environment_id, script_id, name, cron, timezone, inputs, by_agent,
       created_by_user_id, next_run_at)
     SELECT id, $2, $3, $4, 'leap', '0 0 29 2 *', 'UTC', '{}', false, $5, ${due} FROM unnest($1::text[]) AS id`,
    [
      Array.from({ length: count }, () => newId('schedule')),
      workspace.id,
      workspace.environmentId,
      script.id,
      workspace.owner.id,
    ],
  );
}

async function ran(): Promise<number> {
  const { rows } = await pool.query(
    'SELECT count(*)::int AS count FROM schedules WHERE last_run_id IS NOT NULL',
  );
  return rows[0].count;
}

async function until(count: number): Promise<number> {
  const deadline = Date.now() + 240_000;
  for (;;) {
    const now = await ran();
    if (now >= count) return now;
    if (Date.now() > deadline) throw new Error(`Only ${now} schedules ran`);
    await new Promise((done) => setTimeout(done, 5));
  }
}

async function untilDue(): Promise<void> {
  await expect
    .poll(
      async () => (await pool.query('SELECT min(next_run_at) <= now() AS due FROM schedules')).rows[0].due,
      {
        interval: 20,
      },
    )
    .toBe(true);
}

/** Everything that a run is made of, by schedule. */
async function tally(): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS runs, count(DISTINCT r.schedule_id)::int AS schedules,
       (SELECT count(*) FROM schedules s JOIN runs l ON l.id = s.last_run_id AND l.schedule_id = s.id
        WHERE s.next_run_at > now() AND s.last_run_at = l.started_at)::int AS advanced,
       (SELECT count(*) FROM events WHERE type = 'run.started')::int AS events,
       (SELECT count(*) FROM audit_events a JOIN runs m ON m.id = a.target_id
        WHERE a.action = 'run.started')::int AS audited
     FROM runs r`,
  );
  return rows[0];
}

afterEach(async () => {
  await pool.query('TRUNCATE runs, events, schedules CASCADE');
});

describe('schedules', () => {
  it('are each fired once, however many processes fire them and are killed at it', async () => {
    const count = 6_000;
    const workers = await Promise.all([worker(), worker()]);
    // With nothing to fire there is nothing to complain of.
    expect(workers.map((each) => each.output()).join('')).not.toContain('could not be fired');
    await seed(count, `clock_timestamp() + interval '4 seconds'`);
    await untilDue();
    try {
      const fired = await until(1);
      await workers[0]!.kill();
      expect(fired, 'it was killed too late to tell').toBeLessThan(count);
      await until(count);
      expect(await tally()).toEqual({
        runs: count,
        schedules: count,
        advanced: count,
        events: count,
        audited: count,
      });
    } finally {
      await Promise.all(workers.map((each) => each.kill()));
    }
  }, 400_000);

  it('that were due while nothing could fire them run once, and say what was left out', async () => {
    await seed(20, `now() - interval '1 hour'`);
    await pool.query(
      `UPDATE schedules SET cron = '* * * * *', next_run_at = date_trunc('minute', next_run_at)`,
    );
    expect(await ran(), 'fired by a process that runs no scripts').toBe(0);
    const later = await Promise.all([worker(), worker()]);
    try {
      await until(20);
      const runs = await pool.query('SELECT count(*)::int AS count FROM runs GROUP BY schedule_id');
      // Twice where a minute has passed since.
      for (const { count } of runs.rows) expect(count).toBeLessThanOrEqual(2);
      expect(runs.rows).toHaveLength(20);
      const { rows } = await pool.query(
        `SELECT (data->>'count')::int AS count FROM events WHERE type = 'schedule.missed'`,
      );
      expect(rows).toHaveLength(20);
      for (const { count } of rows) expect(count).toBeGreaterThanOrEqual(60);
    } finally {
      await Promise.all(later.map((each) => each.kill()));
    }
  });
});
