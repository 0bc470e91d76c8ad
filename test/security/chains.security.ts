import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { GatehouseProcess, Json, TestWorkspace } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { type TestScript, run } from '../support/scripts.js';
import { allDispatched, echo, runsOf, trigger } from '../support/triggers.js';

const MOST = 200;

/** Another process that carries events out of the same outbox. */
let second: GatehouseProcess;
let workspace: TestWorkspace;

beforeAll(async () => {
  second = await startGatehouse({ env: { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_ROLE: 'api' } });
});
afterAll(() => second?.stop());

/** In an environment that holds every run, so that a chain goes on without a script being executed. */
async function heldWorld() {
  workspace = await newWorkspace();
  const { owner, slug } = workspace;
  await client({ token: owner.token, workspace: slug }).patch('/v1/workspace/environments/production', {
    approvalPolicy: 'always',
  });
  return client({ token: owner.token, workspace: slug });
}

const onHeldRunsOf = (script: TestScript) => ({
  eventType: 'run.awaiting_approval',
  filter: { 'script.slug': script.slug },
});

async function chained(): Promise<number> {
  const { rows } = await database().query(
    'SELECT count(*)::int AS count FROM runs WHERE workspace_id = $1 AND trigger_id IS NOT NULL',
    [workspace.id],
  );
  return rows[0].count;
}

async function switchedOff(): Promise<Json[]> {
  const { rows } = await database().query(
    'SELECT id, disabled_reason AS reason FROM triggers WHERE workspace_id = $1 AND NOT enabled ORDER BY id',
    [workspace.id],
  );
  return rows;
}

describe('a chain of triggers that goes into breadth', () => {
  it('stops after 200 runs from one first event, switches off what would have gone on, and says so', async () => {
    const api = await heldWorld();
    const [one, two, three] = [await echo(api), await echo(api), await echo(api)];
    const first = [];
    const last = [];
    for (let count = 0; count < 15; count++) {
      first.push(await trigger(api, two, onHeldRunsOf(one)));
      last.push(await trigger(api, three, onHeldRunsOf(two)));
    }
    expect((await run(api, one)).status).toBe(202);
    await expect
      .poll(() => switchedOff().then(({ length }) => length), { timeout: 20_000 })
      .toBeGreaterThan(0);
    await allDispatched(workspace);
    expect(await chained()).toBe(MOST);
    for (const { id } of first) expect((await api.get(`/v1/triggers/${id}`)).body.enabled).toBe(true);
    const off = await switchedOff();
    for (const { id, reason } of off) {
      expect(last.map((made: Json) => made.id)).toContain(id);
      expect(reason).toContain('at most 200 runs from one first event');
    }
    const told = await database().query(
      `SELECT (SELECT count(*)::int FROM events WHERE workspace_id = $1 AND type = 'trigger.disabled') AS events,
         (SELECT count(*)::int FROM audit_events WHERE workspace_id = $1 AND action = 'trigger.disabled') AS audit`,
      [workspace.id],
    );
    expect(told.rows).toEqual([{ events: off.length, audit: off.length }]);

    // The count is that chain's: what somebody does next has its own.
    expect((await run(api, one)).status).toBe(202);
    await expect.poll(chained, { timeout: 20_000 }).toBeGreaterThan(MOST);
  });

  it('counts as one for all processes that dispatch at once', async () => {
    const api = await heldWorld();
    const script = await echo(api);
    const triggers = [];
    for (const lane of [0, 1, 2]) {
      triggers.push(await trigger(api, script, { eventType: 'ping', filter: { message: `lane ${lane}` } }));
    }
    const { body: cause } = await run(api, script);
    const root = newId('event');
    await database().query(
      `INSERT INTO events (id, workspace_id, environment_id, type, data, dispatched_at)
       VALUES ($1, $2, $3, 'ping', '{"message": "the first"}', now())`,
      [root, workspace.id, workspace.environmentId],
    );
    await database().query('UPDATE runs SET chain_event_id = $2, hops = 1 WHERE id = $1', [cause.id, root]);
    // Each process fires some of them: each has triggers to lock, and all have the chain to count.
    const ids = Array.from({ length: 300 }, () => newId('event')).sort();
    await database().query(
      `INSERT INTO events (id, workspace_id, environment_id, type, data, caused_by_run_id)
       SELECT id, $2, $3, 'ping', jsonb_build_object('message', 'lane ' || place % 3), $4
       FROM unnest($1::text[]) WITH ORDINALITY AS e(id, place)`,
      [ids, workspace.id, workspace.environmentId, cause.id],
    );
    await allDispatched(workspace);
    const runs = await Promise.all(triggers.map((made) => runsOf(made)));
    expect(runs.flat()).toHaveLength(MOST);
    expect((await switchedOff()).length).toBeGreaterThanOrEqual(2);
  });
});
