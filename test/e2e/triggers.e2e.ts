import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Answer, Client, Json } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { newSlug, python } from '../support/scripts.js';
import { byOwner, echo, newTriggerWorld, trigger } from '../support/triggers.js';

const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const ids = (answer: Answer): string[] => answer.body.items.map(({ id }: { id: string }) => id);
const WHEN = { name: 'When', eventType: 'run.failed' };
const COMMAND = { command: 'python3 main.py --city {city} [--days {days}]' };

async function audited(id: string): Promise<{ action: string; details: Json; actorType: string }[]> {
  const { rows } = await database().query(
    `SELECT action, details, actor_type AS "actorType" FROM audit_events WHERE target_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

async function newEnvironment(api: Client, fields: Record<string, unknown> = {}): Promise<string> {
  const name = `env-${randomBytes(4).toString('hex')}`;
  const answer = await api.post('/v1/workspace/environments', { name, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return name;
}

describe('POST /v1/scripts/{slug}/triggers', () => {
  it('makes one with its defaults', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const answer = await api.post(`/v1/scripts/${script.slug}/triggers`, WHEN);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^trg_[0-9a-z]{26}$/),
      name: 'When',
      script: { id: script.id, slug: script.slug },
      environment: 'production',
      eventType: 'run.failed',
      filter: {},
      inputs: {},
      enabled: true,
      disabledReason: null,
      createdByUserId: workspace.owner.id,
      lastFiredAt: null,
    });
    expect(await audited(answer.body.id)).toEqual([
      {
        action: 'trigger.created',
        actorType: 'user',
        details: { script: script.slug, name: 'When', eventType: 'run.failed', environment: 'production' },
      },
    ]);
  });

  it('keeps what it takes and asks for as sent', async () => {
    const { api, script } = await newTriggerWorld();
    const filter = { 'script.slug': 'a', error: [{ z: 1, a: null }], test: true };
    const inputs = { what: { z: '{{event.data.error}}', a: ['{{ event.data.script.id }}', '{{other}}'] } };
    const { id } = await trigger(api, script, { filter, inputs });
    const { body } = await api.get(`/v1/triggers/${id}`);
    expect(JSON.stringify(body.filter)).toBe(JSON.stringify(filter));
    expect(JSON.stringify(body.inputs)).toBe(JSON.stringify(inputs));
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['name', 'eventType']],
    ['an empty name', { ...WHEN, name: '' }, ['name']],
    ['a long name', { ...WHEN, name: 'x'.repeat(101) }, ['name']],
    ['a control character', { ...WHEN, name: 'a\u0007' }, ['name']],
    ['an unknown type', { ...WHEN, eventType: 'run.exploded' }, ['eventType']],
    ['an empty type', { ...WHEN, eventType: '' }, ['eventType']],
    ['a wildcard', { ...WHEN, eventType: 'run.*' }, ['eventType']],
    ['a filter that is a list', { ...WHEN, filter: [] }, ['filter']],
    ['a filter that is null', { ...WHEN, filter: null }, ['filter']],
    ['an empty path', { ...WHEN, filter: { 'a..b': 1 } }, ['filter.a..b']],
    ['inputs that are a text', { ...WHEN, inputs: 'x' }, ['inputs']],
    ['another part of the event', { ...WHEN, inputs: { a: { b: ['{{event.id}}'] } } }, ['inputs.a.b.0']],
    ['an unclosed template', { ...WHEN, inputs: { a: 'x {{event.data.b' } }, ['inputs.a']],
    ['several', { ...WHEN, filter: { '': 1 }, inputs: { a: '{{event}}' } }, ['filter.', 'inputs.a']],
    ['an unknown environment', { ...WHEN, environment: 'nowhere' }, ['environment']],
    ['an empty environment', { ...WHEN, environment: '' }, ['environment']],
    ['an unknown field', { ...WHEN, enabled: true }, ['enabled']],
  ])('refuses %s before it looks for the script', async (_, body, at) => {
    const workspace = await newWorkspace();
    const answer = await byOwner(workspace).post('/v1/scripts/missing/triggers', body);
    expect(answer.status, answer.text).toBe(400);
    expect(paths(answer)).toEqual(at);
  });

  it('refuses a path that no event of its type has, when it is made and when it is changed', async () => {
    const { api, script } = await newTriggerWorld();
    const wrong = { filter: { 'script.title': 'x' }, inputs: { what: 'It is {{event.data.reason}}' } };
    const made = await api.post(`/v1/scripts/${script.slug}/triggers`, { ...WHEN, ...wrong });
    expect([made.status, paths(made)]).toEqual([400, ['filter.script.title', 'inputs.what']]);
    expect(made.body.error.message).toContain('names script.title, which no event of this type has');
    const right = await trigger(api, script, { filter: { 'script.name': 'x' } });
    const changed = await api.patch(`/v1/triggers/${right.id}`, wrong);
    expect([changed.status, paths(changed)]).toEqual([400, ['filter.script.title', 'inputs.what']]);
  });

  it('checks the inputs that no event decides about', async () => {
    const { api } = await newTriggerWorld();
    const script = await python(api, 'print(1)', {
      ...COMMAND,
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    });
    const post = (inputs: Record<string, unknown>): Promise<Answer> =>
      api.post(`/v1/scripts/${script.slug}/triggers`, { ...WHEN, inputs });
    expect(paths(await post({}))).toEqual(['inputs.city']);
    expect(paths(await post({ city: 5 }))).toEqual(['inputs.city']);
    expect(paths(await post({ city: '{{event.data.error}}', days: 'two' }))).toEqual(['inputs.days']);
    expect((await post({ city: '{{event.data.error}}', days: '{{event.data.version}}' })).status).toBe(201);
    expect((await post({ city: 'Rome', days: 2 })).status).toBe(201);
  });

  it('is 404 without the script, and 409 without a version to run', async () => {
    const { api, script } = await newTriggerWorld();
    expect((await api.post('/v1/scripts/missing/triggers', WHEN)).status).toBe(404);
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    expect((await api.post(`/v1/scripts/${slug}/triggers`, WHEN)).status).toBe(409);
    await api.delete(`/v1/scripts/${script.slug}`);
    expect((await api.post(`/v1/scripts/${script.slug}/triggers`, WHEN)).status).toBe(409);
  });

  it('belongs to the environment that is named, else to the one of the request', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const name = await newEnvironment(api);
    const there = client({ token: workspace.owner.token, workspace: workspace.slug, environment: name });
    const named = await trigger(api, script, { environment: name });
    const acting = await trigger(there, script);
    expect([named.environment, acting.environment]).toEqual([name, name]);
    expect((await api.get(`/v1/triggers/${named.id}`)).status).toBe(404);
    expect((await there.get(`/v1/triggers/${named.id}`)).status).toBe(200);
    expect(ids(await api.get('/v1/triggers'))).toEqual([]);
    expect(ids(await there.get('/v1/triggers'))).toEqual([acting.id, named.id]);
    expect(ids(await there.get(`/v1/scripts/${script.slug}/triggers`))).toEqual([acting.id, named.id]);
    for (const method of ['patch', 'delete'] as const) {
      const answer =
        method === 'patch'
          ? await api.patch(`/v1/triggers/${named.id}`, {})
          : await api.delete(`/v1/triggers/${named.id}`);
      expect(answer.status).toBe(404);
    }
  });
});

describe('Access to triggers', () => {
  it('takes a member and the scope', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const { id } = await trigger(api, script);
    const member = await workspace.person('member');
    const guest = await workspace.person('guest');
    const as = (token: string): Client => client({ token, workspace: workspace.slug });
    const attempts = (by: Client): Promise<Answer>[] => [
      by.get('/v1/triggers'),
      by.get(`/v1/scripts/${script.slug}/triggers`),
      by.get(`/v1/triggers/${id}`),
      by.post(`/v1/scripts/${script.slug}/triggers`, WHEN),
      by.patch(`/v1/triggers/${id}`, { name: 'b' }),
      by.post(`/v1/triggers/${id}/test`, { event: { data: {} } }),
      by.delete(`/v1/triggers/${id}`),
    ];
    const statuses = async (by: Client): Promise<number[]> =>
      (await Promise.all(attempts(by))).map(({ status }) => status);
    expect(await statuses(client())).toEqual(Array(7).fill(401));
    expect(await statuses(as(guest.token))).toEqual(Array(7).fill(403));
    const reader = await member.tokenWith({ scopes: ['triggers:read'] });
    expect(await statuses(as(reader))).toEqual([200, 200, 200, 403, 403, 403, 403]);
    const writer = await member.tokenWith({ scopes: ['triggers:write'] });
    expect((await as(writer).get('/v1/triggers')).status).toBe(403);
    expect((await as(writer).post(`/v1/scripts/${script.slug}/triggers`, WHEN)).status).toBe(201);
    const key = client({ token: await workspace.apiKey() });
    expect((await trigger(key, script)).createdByUserId).toBeNull();
    expect((await as(writer).delete(`/v1/triggers/${id}`)).status).toBe(204);
  });

  it('is 404 where the script does not exist for the caller, or in another workspace', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const { id } = await trigger(api, script);
    await database().query(`UPDATE scripts SET access = 'teams', team_ids = '{tea_none}' WHERE id = $1`, [
      script.id,
    ]);
    const member = client({ token: (await workspace.person('member')).token, workspace: workspace.slug });
    expect((await member.get(`/v1/triggers/${id}`)).status).toBe(404);
    expect((await member.get(`/v1/scripts/${script.slug}/triggers`)).status).toBe(404);
    expect((await member.post(`/v1/scripts/${script.slug}/triggers`, WHEN)).status).toBe(404);
    expect((await member.patch(`/v1/triggers/${id}`, { name: 'x' })).status).toBe(404);
    expect((await member.delete(`/v1/triggers/${id}`)).status).toBe(404);
    expect(ids(await member.get('/v1/triggers'))).toEqual([]);
    expect((await api.get(`/v1/triggers/${id}`)).status).toBe(200);
    const stranger = byOwner(await newWorkspace());
    expect((await stranger.get(`/v1/triggers/${id}`)).status).toBe(404);
    expect((await stranger.delete(`/v1/triggers/${id}`)).status).toBe(404);
  });

  it('keeps a bound API key to its environment', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const name = await newEnvironment(api);
    const mine = await trigger(api, script);
    const other = await trigger(api, script, { environment: name });
    const key = client({ token: await workspace.apiKey('production') });
    expect(ids(await key.get('/v1/triggers'))).toEqual([mine.id]);
    expect((await key.get(`/v1/triggers/${other.id}`)).status).toBe(404);
    const elsewhere = await key.post(`/v1/scripts/${script.slug}/triggers`, { ...WHEN, environment: name });
    expect(elsewhere.status).toBe(403);
    expect((await key.patch(`/v1/triggers/${mine.id}`, { environment: name })).status).toBe(403);
    expect((await key.patch(`/v1/triggers/${mine.id}`, { environment: 'production' })).status).toBe(200);
    const detail = await key.get(`/v1/scripts/${script.slug}`);
    expect(detail.body.usedBy.triggers.map((used: Json) => used.id)).toEqual([mine.id]);
  });

  it('tells members nothing of what they may not read', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const member = client({ token: (await workspace.person('member')).token, workspace: workspace.slug });
    const post = (by: Client): Promise<Answer> =>
      by.post(`/v1/scripts/${script.slug}/triggers`, { ...WHEN, eventType: 'approval.requested' });
    expect((await post(member)).status).toBe(403);
    const made = await post(api);
    expect(made.status, made.text).toBe(201);
    const change = (inputs: Record<string, unknown>): Promise<Answer> =>
      member.patch(`/v1/triggers/${made.body.id}`, { inputs });
    expect((await change({ what: '{{event.data.title}}' })).status).toBe(403);
    expect((await member.patch(`/v1/triggers/${made.body.id}`, { enabled: false })).status).toBe(200);
  });
});

describe('GET /v1/triggers', () => {
  it('is a page, newest first', async () => {
    const { api, script } = await newTriggerWorld();
    const other = await echo(api);
    const made: string[] = [];
    for (const which of [script, other, script]) made.unshift((await trigger(api, which)).id);
    expect(ids(await api.get('/v1/triggers'))).toEqual(made);
    const first = await api.get('/v1/triggers?limit=2');
    expect(ids(first)).toEqual(made.slice(0, 2));
    const second = await api.get(`/v1/triggers?limit=2&cursor=${first.body.nextCursor}`);
    expect([ids(second), second.body.nextCursor]).toEqual([made.slice(2), null]);
    expect(ids(await api.get(`/v1/scripts/${script.slug}/triggers`))).toEqual([made[0], made[2]]);
    const foreign = await api.get(`/v1/scripts/${other.slug}/triggers?cursor=${first.body.nextCursor}`);
    expect(foreign.status).toBe(400);
    expect((await api.get('/v1/triggers?script=a')).status).toBe(400);
    expect((await api.get('/v1/scripts/missing/triggers')).status).toBe(404);
  });
});

describe('PATCH /v1/triggers/{id}', () => {
  it('changes what is given, and tells it', async () => {
    const { api, script } = await newTriggerWorld();
    const before = await trigger(api, script, { filter: { version: 1 }, inputs: { what: 'x' } });
    const patch = { name: 'Then', filter: {}, inputs: { what: '{{event.data.error}}' }, enabled: false };
    const { status, body } = await api.patch(`/v1/triggers/${before.id}`, patch);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...patch });
    expect((await api.patch(`/v1/triggers/${before.id}`, {})).body).toEqual(body);
    expect((await api.patch(`/v1/triggers/${before.id}`, { enabled: true })).body.enabled).toBe(true);
    expect(await audited(before.id)).toMatchObject([
      { action: 'trigger.created' },
      {
        action: 'trigger.updated',
        details: {
          name: { from: 'When', to: 'Then' },
          filter: 'changed',
          inputs: 'changed',
          enabled: { from: true, to: false },
        },
      },
      { action: 'trigger.updated', details: { enabled: { from: false, to: true } } },
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ eventType: 'run.succeeded' }, 'eventType'],
    [{ name: null }, 'name'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ filter: { 'a.': 1 } }, 'filter.a.'],
    [{ inputs: { a: '{{event.type}}' } }, 'inputs.a'],
    [{ environment: 'nowhere' }, 'environment'],
  ])('refuses %j', async (patch, at) => {
    const { api, script } = await newTriggerWorld();
    const { id } = await trigger(api, script);
    const answer = await api.patch(`/v1/triggers/${id}`, patch);
    expect(answer.status, answer.text).toBe(400);
    expect(paths(answer)).toEqual([at]);
    expect((await api.patch('/v1/triggers/trg_missing', patch)).status).toBe(400);
    expect((await api.patch('/v1/triggers/trg_missing', {})).status).toBe(404);
  });

  it('moves it to another environment, where it is found then', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const name = await newEnvironment(api);
    const { id } = await trigger(api, script);
    const moved = await api.patch(`/v1/triggers/${id}`, { environment: name });
    expect([moved.status, moved.body.environment]).toEqual([200, name]);
    expect((await api.get(`/v1/triggers/${id}`)).status).toBe(404);
    const there = client({ token: workspace.owner.token, workspace: workspace.slug, environment: name });
    expect((await there.get(`/v1/triggers/${id}`)).body).toEqual(moved.body);
    const held = await api.delete(`/v1/workspace/environments/${name}`);
    expect([held.status, held.body.error.message]).toEqual([409, expect.stringContaining('1 trigger')]);
    expect((await api.get(`/v1/workspace/environments/${name}`)).body.usage.triggers).toBe(1);
    expect((await there.delete(`/v1/triggers/${id}`)).status).toBe(204);
    expect((await api.delete(`/v1/workspace/environments/${name}`)).status).toBe(204);
  });

  it('switches on only what can run', async () => {
    const { api, script } = await newTriggerWorld();
    const { id } = await trigger(api, script);
    await api.patch(`/v1/triggers/${id}`, { enabled: false });
    await api.post(`/v1/scripts/${script.slug}/unpublish`);
    expect((await api.patch(`/v1/triggers/${id}`, { enabled: true })).status).toBe(409);
    expect((await api.patch(`/v1/triggers/${id}`, { name: 'still' })).status).toBe(200);
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 1 });
    expect((await api.patch(`/v1/triggers/${id}`, { enabled: true })).status).toBe(200);
  });

  it('cannot be switched on once its creator has left', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const member = await workspace.person('member');
    const { id } = await trigger(client({ token: member.token, workspace: workspace.slug }), script);
    await api.patch(`/v1/triggers/${id}`, { enabled: false });
    await database().query('DELETE FROM team_members WHERE user_id = $1', [member.id]);
    await database().query('DELETE FROM memberships WHERE user_id = $1', [member.id]);
    const answer = await api.patch(`/v1/triggers/${id}`, { enabled: true });
    expect([answer.status, answer.body.error?.message]).toEqual([
      409,
      expect.stringContaining('not a member'),
    ]);
  });
});

describe('Triggers of agents', () => {
  it('are not made where agents are not allowed, nor moved or changed there', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const shut = await newEnvironment(api, { agentsAllowed: false });
    const token = await workspace.owner.agent();
    const agent = client({ token });
    const there = client({ token, environment: shut });
    const made = await trigger(agent, script);
    expect((await there.post(`/v1/scripts/${script.slug}/triggers`, WHEN)).status).toBe(403);
    expect(
      (await agent.post(`/v1/scripts/${script.slug}/triggers`, { ...WHEN, environment: shut })).status,
    ).toBe(403);
    expect((await agent.patch(`/v1/triggers/${made.id}`, { environment: shut })).status).toBe(403);
    const persons = await trigger(api, script, { environment: shut });
    expect((await there.patch(`/v1/triggers/${persons.id}`, { name: 'mine' })).status).toBe(403);
    // In person, it can be moved: who changes what it does answers for it.
    expect((await api.patch(`/v1/triggers/${made.id}`, { environment: shut })).status).toBe(200);
  });

  it('count as theirs until a person changes what they do', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const agent = client({ token: await workspace.owner.agent() });
    const { id } = await trigger(api, script);
    const isAgents = async (): Promise<boolean> =>
      (await database().query('SELECT by_agent FROM triggers WHERE id = $1', [id])).rows[0].by_agent;
    expect(await isAgents()).toBe(false);
    await agent.patch(`/v1/triggers/${id}`, { name: 'theirs' });
    expect(await isAgents()).toBe(true);
    await api.patch(`/v1/triggers/${id}`, { name: 'mine' });
    expect(await isAgents()).toBe(true);
    await api.patch(`/v1/triggers/${id}`, { filter: { version: 1 } });
    expect(await isAgents()).toBe(false);
  });
});

describe('DELETE /v1/triggers/{id}', () => {
  it('deletes it, once', async () => {
    const { api, script } = await newTriggerWorld();
    const { id } = await trigger(api, script);
    expect((await api.delete(`/v1/triggers/${id}`)).status).toBe(204);
    expect((await api.delete(`/v1/triggers/${id}`)).status).toBe(404);
    expect((await audited(id)).map(({ action }) => action)).toEqual(['trigger.created', 'trigger.deleted']);
  });
});

describe('POST /v1/triggers/{id}/test', () => {
  it('says whether it fires, and with what', async () => {
    const { api, script } = await newTriggerWorld();
    const { id } = await trigger(api, script, {
      filter: { 'script.slug': 'report' },
      inputs: { what: 'It said: {{event.data.error}}' },
    });
    const test = async (event: unknown): Promise<Json> => {
      const answer = await api.post(`/v1/triggers/${id}/test`, { event });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const data = { script: { slug: 'report' }, error: 'no', test: false };
    const fires = { fires: true, reason: null, inputs: { what: 'It said: no' } };
    expect(await test({ data })).toEqual(fires);
    const whole = { id: 'evt_1', type: 'run.failed', createdAt: '2026-01-31T12:00:00.000Z', data, more: 1 };
    expect(await test(whole)).toEqual(fires);
    const not = (reason: string): Json => ({
      fires: false,
      reason: expect.stringContaining(reason),
      inputs: null,
    });
    expect(await test({ type: 'run.started', data })).toEqual(not('run.started'));
    expect(await test({ data: { ...data, script: { slug: 'other' } } })).toEqual(not('at script.slug'));
    expect(await test({ data: {} })).toEqual(not('at script.slug'));
    expect(await test({ data: { ...data, test: true } })).toEqual(not('test runs'));
    await api.patch(`/v1/triggers/${id}`, { enabled: false });
    expect(await test({ data })).toEqual(not('switched off'));
    expect((await api.get(`/v1/triggers/${id}`)).body.lastFiredAt).toBeNull();
    expect((await api.get(`/v1/runs?triggerId=${id}`)).body.items).toEqual([]);
  });

  it('says what would become of the run', async () => {
    const { api } = await newTriggerWorld();
    const script = await python(api, 'print(1)', COMMAND);
    const { id } = await trigger(api, script, { inputs: { city: '{{event.data.environment}}' } });
    const misfit = await api.post(`/v1/triggers/${id}/test`, { event: { data: {} } });
    expect(misfit.body).toEqual({ fires: true, reason: expect.stringContaining('inputs.city'), inputs: {} });
    await database().query(`UPDATE scripts SET status = 'draft', published_version = NULL WHERE id = $1`, [
      script.id,
    ]);
    const refused = await api.post(`/v1/triggers/${id}/test`, { event: { data: { environment: 'Rome' } } });
    expect(refused.body).toEqual({
      fires: false,
      reason: expect.stringContaining('no published version'),
      inputs: null,
    });
  });

  it.each<[unknown, string]>([
    [{}, 'event'],
    [{ event: 'x' }, 'event'],
    [{ event: {} }, 'event.data'],
    [{ event: { data: [] } }, 'event.data'],
    [{ event: { data: {}, type: 5 } }, 'event.type'],
    [{ event: { data: {} }, more: 1 }, 'more'],
  ])('refuses %j', async (body, at) => {
    const workspace = await newWorkspace();
    const answer = await byOwner(workspace).post('/v1/triggers/trg_missing/test', body);
    expect([answer.status, paths(answer)]).toEqual([400, [at]]);
  });
});

describe('A script', () => {
  it('shows its triggers, and who follows it', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const follower = await echo(api);
    const own = await trigger(api, script, { eventType: 'run.succeeded', name: 'Again' });
    const follows = await trigger(api, follower, { filter: { 'script.slug': script.slug, error: 'x' } });
    const everyone = await trigger(api, follower, { eventType: 'run.started', name: 'All' });
    await trigger(api, follower, { filter: { 'script.slug': 'other' } });
    await trigger(api, follower, { eventType: 'script.published' });
    const off = await trigger(api, follower);
    await api.patch(`/v1/triggers/${off.id}`, { enabled: false });
    const { usedBy } = (await api.get(`/v1/scripts/${script.slug}`)).body;
    expect(usedBy.triggers).toEqual([
      { id: own.id, name: 'Again', eventType: 'run.succeeded', enabled: true },
    ]);
    const by = { slug: follower.slug, name: follower.slug };
    expect(usedBy.followedBy).toEqual([
      { script: by, trigger: { id: everyone.id, name: 'All', eventType: 'run.started' } },
      { script: by, trigger: { id: follows.id, name: 'When', eventType: 'run.failed' } },
    ]);
    await database().query(`UPDATE scripts SET access = 'teams', team_ids = '{tea_none}' WHERE id = $1`, [
      follower.id,
    ]);
    const member = client({ token: (await workspace.person('member')).token, workspace: workspace.slug });
    expect((await member.get(`/v1/scripts/${script.slug}`)).body.usedBy.followedBy).toEqual([]);
  });

  it('is followed by nobody who is disabled, as nothing is fired for them', async () => {
    const { workspace, api, script } = await newTriggerWorld();
    const follower = await echo(api);
    const person = await workspace.person('member');
    const theirs = await trigger(client({ token: person.token, workspace: workspace.slug }), follower);
    const followedBy = async (): Promise<string[]> =>
      (await api.get(`/v1/scripts/${script.slug}`)).body.usedBy.followedBy.map(
        ({ trigger: { id } }: Json) => id as string,
      );
    expect(await followedBy()).toEqual([theirs.id]);
    await database().query('UPDATE users SET disabled_at = now() WHERE id = $1', [person.id]);
    expect(await followedBy()).toEqual([]);
  });
});
