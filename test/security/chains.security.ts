import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { GatehouseProcess, Json, TestWorkspace } from '../../libs/testing/index.js';
import { RunTokens } from '../../src/core/causes/run-tokens.js';
import { MasterKey, newId } from '../../src/core/crypto/index.js';
import { client, database, newWorkspace, sharedMasterKey, startGatehouse } from '../support/gatehouse.js';
import { type TestScript, publishedScript, run } from '../support/scripts.js';
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
    await expect.poll(() => switchedOff().then(({ length }) => length)).toBeGreaterThan(0);
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
    await expect.poll(chained).toBeGreaterThan(MOST);
  });

  it('counts as one for all processes that dispatch at once', { tags: 'slow' }, async () => {
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

describe('a script that starts runs through the API', () => {
  let tokens: RunTokens;
  beforeAll(async () => {
    tokens = new RunTokens(new MasterKey(Buffer.from(await sharedMasterKey(), 'base64')));
  });

  /** As its own run would ask: with the gate's word for it. */
  async function startsBy(causeId: string, script: TestScript, inputs: Json = {}) {
    const { owner, slug, id: workspaceId } = workspace;
    const headers = { 'x-gatehouse-run': tokens.issue({ id: causeId, workspaceId }, 60_000) };
    const api = client({ token: owner.token, workspace: slug, headers });
    const { status, body } = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs });
    return status === 202
      ? { id: body.id as string, refusal: null }
      : { id: null, refusal: `${status} ${body.error.message}` };
  }

  it('twice, each time: the doubling ends after 200 runs from the first of them', async () => {
    const api = await heldWorld();
    const script = await echo(api);
    const { body: byPerson } = await run(api, script);
    const first = await startsBy(byPerson.id, script);
    let last = [first];
    const refusals: string[] = [];
    let count = 0;
    while (last.length > 0 && count < 3 * MOST) {
      const next = await Promise.all(
        last.flatMap(({ id }) => [startsBy(id!, script), startsBy(id!, script)]),
      );
      refusals.push(...next.flatMap(({ refusal }) => refusal ?? []));
      last = next.filter(({ id }) => id !== null);
      count += last.length;
    }
    expect(count).toBe(MOST);
    expect(new Set(refusals)).toEqual(
      new Set([expect.stringMatching(/^409 .*at most 200 runs from one first event are started/)]),
    );
    // What a run does that nobody's chain has begun begins one, as before.
    expect((await startsBy(byPerson.id, script)).refusal).toBeNull();
    expect((await run(api, script)).status).toBe(202);
  });

  it('many at once: a batch counts whole for its chain, or is refused whole', async () => {
    workspace = await newWorkspace();
    const { id: workspaceId, owner, slug } = workspace;
    const api = client({ token: owner.token, workspace: slug });
    const script = await echo(api);
    const { body: byPerson } = await run(api, script);
    const batch = (causeId: string, count: number) => {
      const headers = { 'x-gatehouse-run': tokens.issue({ id: causeId, workspaceId }, 60_000) };
      const startAt = new Date(Date.now() + 3_600_000).toISOString();
      const body = { startAt, inputs: Array.from({ length: count }, () => ({})) };
      return client({ token: owner.token, workspace: slug, headers }).post(
        `/v1/scripts/${script.slug}/runs/batch`,
        body,
      );
    };
    const tooMany = /at most 200 runs from one first event/;
    const outright = await batch(byPerson.id, MOST + 1);
    expect([outright.status, outright.body.error.message]).toEqual([409, expect.stringMatching(tooMany)]);
    const { status, body } = await batch(byPerson.id, MOST - 50);
    expect(status).toBe(202);
    const ofTheFirst = (body.runs as string[])[0]!;
    expect((await batch(ofTheFirst, 51)).body.error.message).toMatch(tooMany);
    expect((await batch(ofTheFirst, 50)).status).toBe(202);
    expect((await batch(ofTheFirst, 1)).body.error.message).toMatch(tooMany);
    const { rows } = await database().query(
      'SELECT count(*)::int AS count FROM runs WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(rows).toEqual([{ count: MOST + 1 }]);
  });

  it('one after another: the row ends after 32', async () => {
    const api = await heldWorld();
    const script = await echo(api);
    let { id } = (await run(api, script)).body as { id: string };
    let started = 0;
    for (;;) {
      const next = await startsBy(id, script);
      if (next.id === null) {
        expect(next.refusal).toMatch(/^409 .*at most 32 runs start one another/);
        break;
      }
      id = next.id;
      started += 1;
      expect(started).toBeLessThan(100);
    }
    expect(started).toBe(32);
  });

  it('with large inputs, or by triggers in between: all of it counts for one chain', async () => {
    const api = await heldWorld();
    const [one, two] = [await echo(api), await echo(api)];
    const greedy = await publishedScript(api, { 'main.py': 'print(1)' }, { inputSchema: { type: 'object' } });
    const made = await trigger(api, two, onHeldRunsOf(one));
    const { body: byPerson } = await run(api, one);
    const byTrigger = () => runsOf(made).then((runs) => runs.length);
    await expect.poll(byTrigger).toBe(1);
    const { id: first } = await startsBy(byPerson.id, one);
    await expect.poll(byTrigger).toBe(2);
    const byTriggerOfFirst = (await runsOf(made))[1]!['id'] as string;
    let refusal: string | null = null;
    let large = 0;
    for (; refusal === null && large < 40; large++) {
      ({ refusal } = await startsBy(byTriggerOfFirst, greedy, { what: 'x'.repeat(900_000) }));
    }
    expect(refusal).toMatch(/^409 .*at most 16 MiB of inputs from one first event/);
    expect(large).toBe(19);
    const { rows } = await database().query(
      'SELECT count(DISTINCT chain_event_id)::int AS chains FROM runs WHERE workspace_id = $1 AND hops + api_hops > 0 AND id >= $2',
      [workspace.id, first],
    );
    expect(rows).toEqual([{ chains: 1 }]);
  });
});
