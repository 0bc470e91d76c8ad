import { describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, database } from '../support/gatehouse.js';
import { newSlug, python, run } from '../support/scripts.js';
import { allDispatched, echo, newTriggerWorld, runsOf, runsUntil, trigger } from '../support/triggers.js';

const created = { name: 'When', eventType: 'script.created' };

/** Makes a script: an event of the whole workspace. */
async function makeScript(api: Client): Promise<string> {
  const slug = newSlug();
  expect((await api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  return slug;
}

async function untilOff(api: Client, { id }: Json): Promise<string> {
  const read = (): Promise<Json> => api.get(`/v1/triggers/${id}`).then(({ body }) => body as Json);
  await expect.poll(() => read().then(({ enabled }) => enabled)).toBe(false);
  return (await read())['disabledReason'];
}

async function eventsOf({ id }: TestWorkspace, type: string): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    'SELECT environment_id AS "environmentId", data FROM events WHERE workspace_id = $1 AND type = $2 ORDER BY id',
    [id, type],
  );
  return rows;
}

describe('An event', () => {
  it('starts the runs of the triggers that it fits, with what they take from it', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const slug = newSlug();
    const fits = await trigger(api, script, {
      ...created,
      filter: { 'script.slug': slug, version: null },
      inputs: { what: { whole: '{{event.data.script}}', text: 'new: {{event.data.script.slug}}' } },
    });
    const other = await trigger(api, script, { ...created, filter: { 'script.slug': 'other' } });
    const off = await trigger(api, script, created);
    await api.patch(`/v1/triggers/${off.id}`, { enabled: false });
    const elsewhere = await trigger(api, script, { eventType: 'script.archived' });
    const made = await api.post('/v1/scripts', { slug, name: 'New one' });
    const [started] = await runsUntil(fits, 1);
    expect(started).toMatchObject({
      inputs: { what: { whole: { id: made.body.id, slug, name: 'New one' }, text: `new: ${slug}` } },
      interface: 'trigger',
      startedByUserId: workspace.owner.id,
      credentialType: null,
      byAgent: false,
      hops: 1,
      environmentId: workspace.environmentId,
    });
    await allDispatched(workspace);
    for (const none of [other, off, elsewhere]) expect(await runsOf(none)).toEqual([]);
    const shown = await api.get(`/v1/runs/${started!.id}`);
    expect(shown.body).toMatchObject({
      triggerId: fits.id,
      interface: 'trigger',
      startedBy: { userId: workspace.owner.id, credentialType: null, credentialName: null },
    });
    expect((await api.get(`/v1/runs?triggerId=${fits.id}`)).body.items).toHaveLength(1);
    const { lastFiredAt } = (await api.get(`/v1/triggers/${fits.id}`)).body;
    expect(Date.parse(lastFiredAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await api.get(`/v1/triggers/${other.id}`)).body.lastFiredAt).toBeNull();
  });

  it('of an environment fires the triggers there only, one of the workspace those of all', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const eventType = 'secret.updated';
    const here = await trigger(api, script, { eventType });
    const there = await trigger(api, script, { eventType, environment: 'staging' });
    const anywhere = [
      await trigger(api, script, { ...created, environment: 'staging' }),
      await trigger(api, script, { eventType: 'environment.updated', environment: 'staging' }),
    ];
    const staging = client({
      token: workspace.owner.token,
      workspace: workspace.slug,
      environment: 'staging',
    });
    await staging.put('/v1/workspace/secrets/KEY', { value: 'a secret value', hosts: ['api.example.com'] });
    await api.patch('/v1/workspace/environments/production', { approvalPolicy: 'agents' });
    await makeScript(api);
    await runsUntil(there, 1);
    for (const one of anywhere) await runsUntil(one, 1);
    await allDispatched(workspace);
    expect(await runsOf(here)).toEqual([]);
  });

  it('fires a trigger once, however often it is dispatched', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const when = await trigger(api, script, created);
    await makeScript(api);
    await runsUntil(when, 1);
    await database().query(
      `UPDATE events e SET dispatched_at = NULL FROM trigger_firings f WHERE f.event_id = e.id AND f.trigger_id = $1`,
      [when.id],
    );
    // A further event makes the dispatcher look at once.
    await makeScript(api);
    await runsUntil(when, 2);
    await allDispatched(workspace);
    expect(await runsOf(when)).toHaveLength(2);
  });

  it('makes a failed run where its values do not fit the script', async () => {
    const { api } = await newTriggerWorld();
    const strict = await python(api, 'print(1)', { command: 'python3 main.py {city}' });
    const when = await trigger(api, strict, { ...created, inputs: { city: '{{event.data.version}}' } });
    await makeScript(api);
    const [made] = await runsUntil(when, 1);
    expect(made).toMatchObject({ status: 'failed', error: expect.stringContaining('inputs.city') });
    expect((await api.get(`/v1/triggers/${when.id}`)).body).toMatchObject({ enabled: true });
  });

  it('of a test run starts nothing', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const tested = await python(api, 'print(1)', { command: 'python3 main.py' });
    // Only on that script: its own successes would set it off as well.
    const when = await trigger(api, script, {
      eventType: 'run.succeeded',
      filter: { 'script.slug': tested.slug },
    });
    expect((await api.post(`/v1/scripts/${tested.slug}/versions/1/runs`, {})).body.status).toBe('succeeded');
    await allDispatched(workspace);
    expect(await runsOf(when)).toEqual([]);
    expect((await run(api, tested)).body.status).toBe('succeeded');
    await runsUntil(when, 1);
  });

  it('about a script reaches only those who may see it', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const member = await workspace.person('member');
    const by = client({ token: member.token, workspace: workspace.slug });
    const asked = { eventType: 'run.succeeded', filter: { interface: 'api' } };
    const theirs = await trigger(by, script, asked);
    const owners = await trigger(api, script, asked);
    const hidden = await echo(api);
    await database().query(`UPDATE scripts SET access = 'teams', team_ids = '{tea_none}' WHERE id = $1`, [
      hidden.id,
    ]);
    await run(api, hidden);
    await runsUntil(owners, 1);
    // What the member writes into the owner's trigger is judged by what the member may see.
    await by.patch(`/v1/triggers/${owners.id}`, { inputs: { what: '{{event.data.script.name}}' } });
    await run(api, hidden);
    await allDispatched(workspace);
    expect(await runsOf(owners)).toHaveLength(1);
    expect(await runsOf(theirs)).toEqual([]);
    await run(api, script);
    await runsUntil(theirs, 1);
    await runsUntil(owners, 2);
  });
});

describe('A chain of triggers', () => {
  it('that leads back to its own script stops after eight runs, and says so', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const loop = await trigger(api, script, {
      eventType: 'run.succeeded',
      name: 'Again',
      filter: { 'script.slug': script.slug },
    });
    const teller = await trigger(api, await echo(api), {
      eventType: 'trigger.disabled',
      inputs: { what: '{{event.data.reason}}' },
    });
    expect((await run(api, script)).body.status).toBe('succeeded');
    const reason = await untilOff(api, loop);
    expect(reason).toMatch(/stops after 8/);
    expect((await runsOf(loop)).map(({ hops }) => hops)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await eventsOf(workspace, 'trigger.disabled')).toEqual([
      { environmentId: workspace.environmentId, data: { id: loop.id, name: 'Again', reason } },
    ]);
    const { rows } = await database().query(
      `SELECT actor_type, details FROM audit_events WHERE target_id = $1 AND action = 'trigger.disabled'`,
      [loop.id],
    );
    expect(rows).toEqual([{ actor_type: 'system', details: { name: 'Again', reason } }]);
    // What tells of the end is not itself part of the chain.
    expect(await runsUntil(teller, 1)).toMatchObject([{ hops: 1, inputs: { what: reason } }]);
    expect((await api.get(`/v1/triggers/${teller.id}`)).body.enabled).toBe(true);
    // Switched on again, it has no reason any more.
    const again = await api.patch(`/v1/triggers/${loop.id}`, { enabled: true, filter: { version: 99 } });
    expect(again.body).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('of several scripts stops as well', async () => {
    const { api, script: one } = await newTriggerWorld();
    const two = await echo(api);
    const on = (slug: string): Record<string, unknown> => ({
      eventType: 'run.succeeded',
      filter: { 'script.slug': slug },
    });
    const toTwo = await trigger(api, two, on(one.slug));
    const toOne = await trigger(api, one, on(two.slug));
    await run(api, one);
    await untilOff(api, toTwo);
    expect((await runsOf(toTwo)).map(({ hops }) => hops)).toEqual([1, 3, 5, 7]);
    expect((await runsOf(toOne)).map(({ hops }) => hops)).toEqual([2, 4, 6, 8]);
    expect((await api.get(`/v1/triggers/${toOne.id}`)).body.enabled).toBe(true);
  });

  it('begun by an agent is the agent’s to its end', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const first = await trigger(api, script, { eventType: 'run.succeeded', filter: { interface: 'mcp' } });
    const guarded = await echo(api);
    await api.patch(`/v1/scripts/${guarded.slug}`, { approvalPolicy: 'agents' });
    const second = await trigger(api, guarded, {
      eventType: 'run.succeeded',
      filter: { interface: 'trigger' },
    });
    const begun = await echo(api);
    await run(client({ token: await workspace.owner.agent() }), begun);
    expect(await runsUntil(first, 1)).toMatchObject([{ byAgent: true }]);
    expect(await runsUntil(second, 1)).toMatchObject([
      { byAgent: true, status: 'awaiting_approval', phase: 'held', hops: 2 },
    ]);
  });
});

describe('A trigger made by an agent', () => {
  it('starts runs that count as the agent’s', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'agents' });
    const when = await trigger(client({ token: await workspace.owner.agent() }), script, created);
    const persons = await trigger(api, script, created);
    await makeScript(api);
    expect(await runsUntil(when, 1)).toMatchObject([{ byAgent: true, status: 'awaiting_approval' }]);
    const [other] = await runsUntil(persons, 1);
    expect(other).toMatchObject({ byAgent: false });
    expect(other!.status).not.toBe('awaiting_approval');
  });

  it('is switched off where agents are not allowed any more', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const when = await trigger(client({ token: await workspace.owner.agent() }), script);
    const persons = await trigger(api, script);
    await api.patch('/v1/workspace/environments/production', { agentsAllowed: false });
    expect(await untilOff(api, when)).toMatch(/agents may not run scripts in production/);
    expect((await api.get(`/v1/triggers/${persons.id}`)).body.enabled).toBe(true);
    expect(await eventsOf(workspace, 'trigger.disabled')).toHaveLength(1);
  });
});

describe('A trigger is switched off', () => {
  it('when its script is archived, without waiting for an event of its own', async () => {
    const { api, script } = await newTriggerWorld();
    const when = await trigger(api, script);
    await api.delete(`/v1/scripts/${script.slug}`);
    expect(await untilOff(api, when)).toBe(`the script ${script.slug} is archived`);
    expect((await api.patch(`/v1/triggers/${when.id}`, { enabled: true })).status).toBe(409);
  });

  it('when it would fire and its script has no published version', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const when = await trigger(api, script, created);
    await database().query(`UPDATE scripts SET status = 'draft', published_version = NULL WHERE id = $1`, [
      script.id,
    ]);
    await makeScript(api);
    expect(await untilOff(api, when)).toMatch(/no published version/);
    expect(await runsOf(when)).toEqual([]);
    expect((await api.get(`/v1/triggers/${when.id}`)).body.lastFiredAt).toBeNull();
    expect(await eventsOf(workspace, 'trigger.disabled')).toHaveLength(1);
  });

  it.each([
    [
      'has left',
      ['DELETE FROM team_members WHERE user_id = $1', 'DELETE FROM memberships WHERE user_id = $1'],
    ],
    ['is disabled', ['UPDATE users SET disabled_at = now() WHERE id = $1']],
  ])('when its creator %s', async (_, statements) => {
    const { workspace, api, script } = await newTriggerWorld();
    const member = await workspace.person('member');
    const when = await trigger(client({ token: member.token, workspace: workspace.slug }), script, created);
    for (const statement of statements) await database().query(statement, [member.id]);
    await makeScript(api);
    expect(await untilOff(api, when)).toMatch(/creator is not a member/);
  });

  it('as soon as its creator is removed, or may not have triggers any more', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const mine = async (): Promise<{ trigger: Json; member: string }> => {
      const { id, token } = await workspace.person('member');
      const by = client({ token, workspace: workspace.slug });
      const { body } = await api.get('/v1/workspace/members?limit=1');
      expect(body.items[0].userId).toBe(id);
      return { trigger: await trigger(by, script), member: body.items[0].id };
    };
    const [removed, guest, stays] = [await mine(), await mine(), await mine()];
    expect((await api.delete(`/v1/workspace/members/${removed.member}`)).status).toBe(204);
    await api.patch(`/v1/workspace/members/${guest.member}`, { role: 'guest' });
    await api.patch(`/v1/workspace/members/${stays.member}`, { role: 'admin' });
    expect(await untilOff(api, removed.trigger)).toMatch(/creator is not a member/);
    expect(await untilOff(api, guest.trigger)).toMatch(/creator is a guest/);
    await allDispatched(workspace);
    expect((await api.get(`/v1/triggers/${stays.trigger.id}`)).body.enabled).toBe(true);
  });

  it('when the one who wrote what it takes has left', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const when = await trigger(api, script, created);
    const member = await workspace.person('member');
    const by = client({ token: member.token, workspace: workspace.slug });
    expect((await by.patch(`/v1/triggers/${when.id}`, { inputs: { what: 1 } })).status).toBe(200);
    await database().query('DELETE FROM team_members WHERE user_id = $1', [member.id]);
    await database().query('DELETE FROM memberships WHERE user_id = $1', [member.id]);
    await makeScript(api);
    expect(await untilOff(api, when)).toMatch(/who last changed/);
  });
});

describe('Many events at once', () => {
  it('fire every trigger for every event, once', async () => {
    const { workspace, api } = await newTriggerWorld();
    const held = await echo(api);
    await api.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    const triggers = [];
    for (let index = 0; index < 5; index++) {
      triggers.push(await trigger(api, held, { ...created, filter: { 'script.name': 'many' } }));
    }
    const events = Array.from({ length: 200 }, () => newId('event'));
    await database().query(
      `INSERT INTO events (id, workspace_id, type, data) SELECT id, $2, 'script.created', $3
       FROM unnest($1::text[]) AS id`,
      [
        events,
        workspace.id,
        {
          script: { id: held.id, slug: held.slug, name: 'many' },
          version: null,
          by: { userId: null, credentialType: null, credentialName: null },
        },
      ],
    );
    for (const one of triggers) await runsUntil(one, 200);
    await allDispatched(workspace);
    for (const one of triggers) expect(await runsOf(one)).toHaveLength(200);
  });
});
