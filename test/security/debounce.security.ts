import { describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { byAgent, byToken, inApp } from '../support/approvals.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import { MEMBERS, membership } from '../support/people.js';
import { finished, python, run, runUntil, type TestScript } from '../support/scripts.js';
import { byOwner } from '../support/triggers.js';

const FIELDS = {
  debounce: { wait: 3_600, key: '{key}' },
  inputSchema: { type: 'object', properties: { key: {}, text: {} } },
};

const debounced = (api: Client): Promise<TestScript> => python(api, 'print(1)', FIELDS);

async function started(api: Client, script: TestScript, inputs: Record<string, unknown> = {}): Promise<Json> {
  const { status, body, text } = await run(api, script, inputs);
  expect(status, text).toBe(202);
  return body;
}

/** As if the runs had waited for long enough. */
const due = (...ids: unknown[]) =>
  database().query('UPDATE runs SET start_at = now() WHERE id = ANY($1)', [ids]);

it('a start takes the place of none of another script, environment or workspace, also where its key is written like theirs', async () => {
  const [one, two] = [byOwner(await newWorkspace()), byOwner(await newWorkspace())];
  const mine = await debounced(one);
  expect((await one.post('/v1/workspace/environments', { name: 'staging' })).status).toBe(201);
  const { body } = await one.get('/v1/workspace/environments');
  const production = (body.items as Json[]).find(({ name }) => name === 'production')!.id as string;
  const ids = new Set<unknown>();
  for (const key of ['same', `${mine.id}/${production}//same`, '/same', '']) {
    ids.add((await started(one, mine, { key })).id);
  }
  ids.add((await run(one, mine, { key: 'same' }, { 'x-environment': 'staging' })).body.id);
  ids.add((await started(one, await debounced(one), { key: 'same' })).id);
  ids.add((await started(two, await debounced(two), { key: `${mine.id}/${production}//same` })).id);
  expect(ids.size).toBe(7);
});

it('a flood of starts of one key, which wait for each other, leaves connections to everybody else', async () => {
  const [workspace, other] = [await newWorkspace(), byOwner(await newWorkspace())];
  const api = byOwner(workspace);
  const script = await debounced(api);
  const elsewhere = await python(other, 'print(1)');
  const client = await database().connect();
  let flood: Promise<unknown>[] = [];
  try {
    await client.query('BEGIN');
    const key = `gatehouse debounce ${script.id}/${workspace.environmentId}//k`;
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    flood = Array.from({ length: 60 }, () => started(api, script, { key: 'k' }));
    await expect
      .poll(async () => {
        const { rows } = await client.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
           WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
        );
        return rows[0]!.waiting;
      })
      // A start of another test may have the second place.
      .toBeGreaterThan(0);
    for (let nth = 0; nth < 20; nth++) expect((await run(other, elsewhere)).status).toBe(200);
  } finally {
    await client.query('COMMIT');
    client.release();
  }
  const ids = new Set((await Promise.all(flood)).map((body) => (body as Json).id));
  expect(ids.size).toBe(1);
});

describe('a guest', () => {
  it('takes the place of no start of anybody else, and nobody that of theirs', async () => {
    const workspace = await newWorkspace();
    const owner = byOwner(workspace);
    const script = await debounced(owner);
    const guests = [await workspace.person('guest'), await workspace.person('guest')];
    const { body: team } = await inApp(workspace, workspace.owner).post('/v1/workspace/teams', {
      name: 'outside',
    });
    for (const { id } of guests) {
      await database().query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [team.id, id]);
    }
    const access = { access: 'teams', teamIds: [team.id as string] };
    expect((await owner.patch(`/v1/scripts/${script.slug}`, access)).status).toBe(200);
    const [one, other] = guests.map((guest) => byToken(workspace, guest)) as [Client, Client];
    const ofOwner = await started(owner, script, { key: 'k', text: 'of the owner' });
    const ofOne = await started(one, script, { key: 'k', text: 'of one' });
    const ofOther = await started(other, script, { key: 'k', text: 'of another' });
    const again = await started(one, script, { key: 'k', text: 'of one, again' });
    expect(again).toMatchObject({ id: ofOne.id, debounce: { key: 'k', starts: 2 } });
    expect(new Set([ofOwner.id, ofOne.id, ofOther.id]).size).toBe(3);
    for (const [id, text] of [
      [ofOwner.id, 'of the owner'],
      [ofOther.id, 'of another'],
    ]) {
      expect((await owner.get(`/v1/runs/${id as string}`)).body).toMatchObject({
        inputs: { text },
        debounce: { starts: 1 },
      });
      expect((await one.get(`/v1/runs/${id as string}`)).status).toBe(404);
    }
  });
});

describe('when a gathered run begins', () => {
  it('it is judged by who started it last: who has left by then starts nothing', async () => {
    const workspace = await newWorkspace();
    const owner = byOwner(workspace);
    const script = await debounced(owner);
    const leaver = await workspace.person('member');
    const first = await started(owner, script);
    const second = await started(byToken(workspace, leaver), script);
    expect(second.id).toBe(first.id);
    const { id } = (await membership(workspace, leaver))!;
    expect((await inApp(workspace, workspace.owner).delete(`${MEMBERS}/${id}`)).status).toBe(204);
    await due(first.id);
    expect(await runUntil(owner, first.id as string, finished)).toMatchObject({
      status: 'cancelled',
      error: 'it could not start: who started it is not a member of the workspace any more',
      executionStartedAt: null,
    });
  });

  it("an agent's start is an agent's, whosever place it took", async () => {
    const workspace = await newWorkspace();
    const owner = byOwner(workspace);
    const script = await debounced(owner);
    const first = await started(owner, script);
    const second = await started(await byAgent(workspace, workspace.owner), script);
    expect(second).toMatchObject({ id: first.id, interface: 'mcp' });
    await database().query('UPDATE environments SET agents_allowed = false WHERE workspace_id = $1', [
      workspace.id,
    ]);
    await due(first.id);
    expect(await runUntil(owner, first.id as string, finished)).toMatchObject({
      status: 'cancelled',
      error: 'it could not start: agents may not run scripts in production any more',
    });
  });
});

it('an agent whose runs a person has to approve changes none that waits, nor has its own changed', async () => {
  const workspace = await newWorkspace();
  const owner = byOwner(workspace);
  const script = await debounced(owner);
  const policy = { approvalPolicy: 'agents' };
  expect((await inApp(workspace, workspace.owner).patch(`/v1/scripts/${script.slug}`, policy)).status).toBe(
    200,
  );
  const agent = await byAgent(workspace, workspace.owner);
  const waiting = await started(owner, script, { text: "a person's" });
  const held = await started(agent, script, { text: "an agent's" });
  expect(held).toMatchObject({ status: 'awaiting_approval', debounce: null });
  const after = await started(owner, script, { text: "a person's, later" });
  expect(after.id).toBe(waiting.id);
  const { body } = await owner.get(`/v1/runs/${held.id as string}`);
  expect(body.inputs).toEqual({ text: "an agent's" });
});

it('what a key is made of is in no event and no audit entry, and is shown to nobody who may not see the run', async () => {
  const workspace = await newWorkspace();
  const owner = byOwner(workspace);
  const script = await debounced(owner);
  const key = 'known-to-two-alone';
  const { id } = await started(owner, script, { key });
  await started(owner, script, { key });
  const { rows } = await database().query(
    `SELECT data::text AS text FROM events WHERE workspace_id = $1
     UNION ALL SELECT details::text FROM audit_events WHERE workspace_id = $1`,
    [workspace.id],
  );
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter(({ text }) => (text as string).includes(key))).toEqual([]);
  const stranger = byOwner(await newWorkspace());
  const guest = byToken(workspace, await workspace.person('guest'));
  for (const api of [stranger, guest]) expect((await api.get(`/v1/runs/${id as string}`)).status).toBe(404);
});

it.each([
  ['a zero byte', '\u0000'],
  ['half a character', '\ud800'],
])('a key with %s in it is refused or a run, and no failure of ours', async (_, key) => {
  const owner = byOwner(await newWorkspace());
  const { status } = await run(owner, await debounced(owner), { key });
  expect([202, 400]).toContain(status);
});

it('a key that is as large as inputs may be is a digest', async () => {
  const owner = byOwner(await newWorkspace());
  const script = await debounced(owner);
  const key = { deep: 'x'.repeat(200_000) };
  const first = await started(owner, script, { key });
  expect(first).toMatchObject({ debounce: { key: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  expect((await started(owner, script, { key })).id).toBe(first.id);
});
