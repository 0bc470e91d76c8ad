import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { database, localClient } from '../support/gatehouse.js';
import { newSlug, python, run } from '../support/scripts.js';
import { answersDuring } from './support/answers-during.js';
import {
  type TriggerWorld,
  allDispatched,
  leaveHeld,
  newTriggerWorld,
  runsOf,
  runsUntil,
  trigger,
} from '../support/triggers.js';

const MiB = 1024 * 1024;
/** What all runs of one first event take together. */
const MOST_BYTES = 16 * MiB;
const TRIGGERS = 200;

let attacker: TriggerWorld;

/** An attacker whose triggers' runs are held, so that none is executed. */
beforeEach(async () => {
  attacker = await newTriggerWorld();
  await attacker.api.patch(`/v1/scripts/${attacker.script.slug}`, { approvalPolicy: 'always' });
});

/** More triggers than may be made by now, as an earlier version has left them. */
async function leaveTriggers(eventType: string, inputs: object, filter: object = {}): Promise<void> {
  const { workspace, script } = attacker;
  await database().query(
    `INSERT INTO triggers (id, workspace_id, environment_id, script_id, name, event_type, filter, inputs, by_agent,
       created_by_user_id, author_user_id)
     SELECT id, $2, $3, $4, 'left', $5, $6::json, $7::json, false, $8, $8 FROM unnest($1::text[]) AS t(id)`,
    [
      Array.from({ length: TRIGGERS }, () => newId('trigger')),
      workspace.id,
      workspace.environmentId,
      script.id,
      eventType,
      JSON.stringify(filter),
      JSON.stringify(inputs),
      workspace.owner.id,
    ],
  );
}

const livesDuring = (flood: Promise<unknown>): Promise<number> => {
  const anybody = localClient();
  return answersDuring(flood, () => anybody.get('/health/live'));
};

interface Given {
  runs: number;
  bytes: number;
  off: number;
  reason: string | null;
}

/** What came of the triggers. */
async function given(): Promise<Given> {
  const { rows } = await database().query<Given>(
    `SELECT (SELECT count(*)::int FROM runs WHERE workspace_id = $1 AND trigger_id IS NOT NULL) AS runs,
       (SELECT coalesce(sum(octet_length(inputs::text)), 0)::int FROM runs
        WHERE workspace_id = $1 AND trigger_id IS NOT NULL) AS bytes,
       (SELECT count(*)::int FROM triggers WHERE workspace_id = $1 AND NOT enabled) AS off,
       (SELECT max(disabled_reason) FROM triggers WHERE workspace_id = $1) AS reason`,
    [attacker.workspace.id],
  );
  return rows[0]!;
}

async function makeScript(api: Client): Promise<void> {
  const made = await api.post('/v1/scripts', { slug: newSlug(), name: 'n'.repeat(100) });
  expect(made.status, made.text).toBe(201);
}

describe('triggers that make 1 MiB each of 20 KB', () => {
  it('hold up nobody, and one event gives all of them 16 MiB at most', async () => {
    const { api, workspace } = attacker;
    const failing = await python(api, 'import sys; sys.exit("x" * 990)');
    await leaveTriggers(
      'run.failed',
      { what: '{{event.data.error}}'.repeat(1_040) },
      { 'script.slug': failing.slug },
    );
    const lives = await livesDuring(run(api, failing).then(() => allDispatched(workspace, 100_000)));
    const { runs, bytes, off, reason } = await given();
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    expect(runs).toBeGreaterThan(0);
    expect(runs + off).toBe(TRIGGERS);
    expect(reason).toContain('16 MiB of inputs from one first event');
    // One response for each run that was made: none of them takes the event loop for long.
    expect(lives).toBeGreaterThan(runs);
  });

  it(
    'are no text that is too long for the process, however many events come at once',
    { tags: 'slow' },
    async () => {
      await leaveTriggers('script.created', { what: Array(2_500).fill('{{event.data.script}}') });
      const { api, workspace } = attacker;
      const scripts = Promise.all(Array.from({ length: 6 }, () => makeScript(api)));
      const lives = await livesDuring(scripts.then(() => allDispatched(workspace, 100_000)));
      const { runs, bytes, off } = await given();
      expect(bytes).toBeLessThanOrEqual(6 * MOST_BYTES);
      expect(off).toBeGreaterThan(0);
      expect(lives).toBeGreaterThan(runs);
    },
  );
});

describe('a workspace', () => {
  it('has no more than 500 triggers and 500 schedules, unless it had them before', async () => {
    const { api, script } = attacker;
    const types = ['run.started', 'run.succeeded', 'secret.updated'];
    for (const type of types) await leaveTriggers(type, {});
    const schedule = { name: 'a', cron: '0 0 1 1 *', inputs: {} };
    const first = await api.post(`/v1/scripts/${script.slug}/schedules`, schedule);
    expect(first.status, first.text).toBe(201);
    await database().query(
      `INSERT INTO schedules (id, workspace_id, environment_id, script_id, name, cron, timezone, inputs, by_agent, next_run_at)
       SELECT t.id, s.workspace_id, s.environment_id, s.script_id, s.name, s.cron, s.timezone, s.inputs, false, s.next_run_at
       FROM schedules s, unnest($2::text[]) AS t(id) WHERE s.id = $1`,
      [first.body.id, Array.from({ length: 499 }, () => newId('schedule'))],
    );
    for (const [kind, body] of [
      ['triggers', { name: 'a', eventType: 'run.cancelled' }],
      ['schedules', schedule],
    ] as const) {
      const { status, body: answer } = await api.post(`/v1/scripts/${script.slug}/${kind}`, body);
      expect([status, answer.error.message]).toEqual([
        409,
        `A workspace has at most 500 ${kind}. Delete one first.`,
      ]);
      const [{ id }] = (await api.get(`/v1/${kind}?limit=1`)).body.items;
      expect((await api.patch(`/v1/${kind}/${id}`, { name: 'Still here' })).status).toBe(200);
    }
    await api.delete(`/v1/schedules/${first.body.id}`);
    expect((await api.post(`/v1/scripts/${script.slug}/schedules`, schedule)).status).toBe(201);
  });

  it('has no more than 100 triggers that wait for the same events of one script', async () => {
    const { api, script } = attacker;
    const [one, other] = [await python(api, 'pass'), await python(api, 'pass')];
    const make = (filter: object) =>
      api.post(`/v1/scripts/${script.slug}/triggers`, { name: 'a', eventType: 'run.failed', filter });
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        make(index % 2 === 0 ? { 'script.slug': one.slug } : { 'script.id': one.id }),
      ),
    );
    for (const { status, text } of made) expect(status, text).toBe(201);
    const elsewhere = await make({ 'script.slug': other.slug });
    expect(elsewhere.status).toBe(201);
    for (const filter of [{}, { 'script.slug': one.slug }, { interface: 'api' }]) {
      const { status, text } = await make(filter);
      expect(status, text).toBe(409);
      expect(text).toContain('At most 100 triggers may wait for run.failed of one script');
    }
    // Nor by a change of what it waits for, nor by switching one on again.
    const path = `/v1/triggers/${elsewhere.body.id}`;
    expect((await api.patch(path, { filter: { 'script.id': one.id } })).status).toBe(409);
    expect((await api.patch(path, { enabled: false, filter: { 'script.id': one.id } })).status).toBe(200);
    expect((await api.patch(path, { enabled: true })).status).toBe(409);
    expect((await api.patch(`/v1/triggers/${made[0]!.body.id}`, { enabled: false })).status).toBe(200);
    expect((await api.patch(path, { enabled: true })).status).toBe(200);
  });

  it('has no more than 100 of them by 50 changes at once, either', async () => {
    const { api, script } = attacker;
    const [one, other] = [await python(api, 'pass'), await python(api, 'pass')];
    const make = async (slug: string) => {
      const body = { name: 'a', eventType: 'run.failed', filter: { 'script.slug': slug } };
      const { status, text, body: made } = await api.post(`/v1/scripts/${script.slug}/triggers`, body);
      expect(status, text).toBe(201);
      return made.id as string;
    };
    for (let made = 0; made < 99; made += 33) {
      await Promise.all(Array.from({ length: 33 }, () => make(one.slug)));
    }
    const elsewhere = await Promise.all(Array.from({ length: 50 }, () => make(other.slug)));
    const filter = { 'script.slug': one.slug };
    const moved = await Promise.all(elsewhere.map((id) => api.patch(`/v1/triggers/${id}`, { filter })));
    expect(moved.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(moved.filter(({ status }) => status === 409)).toHaveLength(49);
  });
});

describe('events of a workspace', () => {
  it('that wait by the ten thousand hold up nobody else’s', async () => {
    const other = await newTriggerWorld();
    const when = await trigger(other.api, other.script, { eventType: 'script.created' });
    const { workspace } = attacker;
    await database().query(
      `INSERT INTO events (id, workspace_id, environment_id, type, data)
       SELECT id, $2, $3, 'ping', '{"message": "flood"}' FROM unnest($1::text[]) AS e(id)`,
      [Array.from({ length: 20_000 }, () => newId('event')), workspace.id, workspace.environmentId],
    );
    await makeScript(other.api);
    const [first] = await runsUntil(when, 1);
    // However late this looks.
    const { rows } = await database().query<{ count: number }>(
      `SELECT count(*)::int AS count FROM events
       WHERE workspace_id = $1 AND (dispatched_at IS NULL OR dispatched_at > $2)`,
      [workspace.id, first!.startedAt],
    );
    expect(rows[0]!.count).toBeGreaterThan(10_000);
    await database().query('DELETE FROM events WHERE workspace_id = $1 AND dispatched_at IS NULL', [
      workspace.id,
    ]);
  });
});

describe('an event that came to no end four times, the last of them while its trigger was to be switched off', () => {
  it('fires nothing any more', async () => {
    const { api, script, workspace } = attacker;
    await trigger(api, script, { eventType: 'ping' });
    const id = newId('event');
    await database().query(
      `WITH told AS (
         INSERT INTO events (id, workspace_id, environment_id, type, data, dispatched_at)
         VALUES ($1, $2, $3, 'ping', '{"message": "Hello"}', now()))
       INSERT INTO waiting_firings (id, workspace_id, attempts) VALUES ($1, $2, 4)`,
      [id, workspace.id, workspace.environmentId],
    );
    await allDispatched(workspace);
    expect(await given()).toEqual({ runs: 0, bytes: 0, off: 0, reason: null });
  });
});

describe('a workspace of which thousands of runs wait already', () => {
  const automated = async () => (await given()).runs;

  it('gets few more by further first events, and goes on once it has room', async () => {
    const { api, script, workspace } = attacker;
    await leaveHeld(attacker, 19_990);
    const when = await trigger(api, script, { eventType: 'script.created' });
    await trigger(api, script, { eventType: 'script.created' });
    const later =
      'SELECT count(*)::int AS count FROM waiting_firings WHERE workspace_id = $1 AND due_at > now()';
    // What is counted is a second old at most.
    let [made, putOff] = [0, 0];
    for (; putOff === 0 && made < 1_000; made += 10) {
      await Promise.all(Array.from({ length: 10 }, () => makeScript(api)));
      await sleep(100);
      putOff = (await database().query(later, [workspace.id])).rows[0]!.count;
    }
    expect(putOff).toBeGreaterThan(0);
    expect(await automated()).toBeLessThan(2 * made);
    await database().query('DELETE FROM runs WHERE workspace_id = $1 AND approval_request_id IS NULL', [
      workspace.id,
    ]);
    // One that was tried while the old count was still known waits once more.
    const started = async () => {
      await database().query('UPDATE waiting_firings SET due_at = now() WHERE workspace_id = $1', [
        workspace.id,
      ]);
      return runsOf(when).then(({ length }) => length);
    };
    await expect.poll(started).toBe(made);
  });

  it('has its schedules and triggers switched off after six hours', async () => {
    const { api, script, workspace } = attacker;
    await leaveHeld(attacker, 20_000);
    const { slug } = await python(api, 'pass');
    const batch = await api.post(`/v1/scripts/${slug}/runs/batch`, { inputs: [{}] });
    expect([batch.status, batch.body.error.message]).toEqual([
      429,
      expect.stringContaining('20000 runs of the workspace'),
    ]);
    const when = await trigger(api, script, { eventType: 'ping' });
    const made = await api.post(`/v1/scripts/${script.slug}/schedules`, { name: 'a', cron: '@yearly' });
    const schedule = made.body.id as string;
    const due = (ago: string) =>
      database().query(`UPDATE schedules SET next_run_at = now() - $2::interval WHERE id = $1`, [
        schedule,
        ago,
      ]);
    const postponed = async () =>
      (await database().query('SELECT FROM waiting_schedules WHERE id = $1 AND due_at > now()', [schedule]))
        .rowCount;
    await due('1 minute');
    await expect.poll(postponed).toBe(1);
    await due('7 hours');
    await database().query('UPDATE waiting_schedules SET due_at = now() WHERE id = $1', [schedule]);
    const id = newId('event');
    await database().query(
      `WITH told AS (
         INSERT INTO events (id, workspace_id, environment_id, type, data, dispatched_at, created_at)
         VALUES ($1, $2, $3, 'ping', '{"message": "Hello"}', now(), now() - interval '7 hours'))
       INSERT INTO waiting_firings (id, workspace_id) VALUES ($1, $2)`,
      [id, workspace.id, workspace.environmentId],
    );
    for (const path of [`/v1/schedules/${schedule}`, `/v1/triggers/${when.id}`]) {
      const state = async () => (await api.get(path)).body;
      const disabledReason = expect.stringContaining('20000 runs of the workspace') as unknown;
      await expect.poll(state).toMatchObject({ enabled: false, disabledReason });
    }
    const { rows } = await database().query(
      `SELECT action, count(*)::int AS count FROM audit_events WHERE workspace_id = $1 AND action LIKE '%.disabled'
       GROUP BY action ORDER BY action`,
      [workspace.id],
    );
    expect(rows).toEqual([
      { action: 'schedule.disabled', count: 1 },
      { action: 'trigger.disabled', count: 1 },
    ]);
    expect(await automated()).toBe(0);
  });
});
