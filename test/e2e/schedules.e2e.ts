import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { withinOneHour } from '../support/hours.js';
import { type TestScript, newSlug, newVersion, python } from '../support/scripts.js';

const byOwner = ({ owner, slug }: TestWorkspace): Client => client({ token: owner.token, workspace: slug });
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const ids = (answer: Answer): string[] => answer.body.items.map(({ id }: { id: string }) => id);
const CRON = { name: 'Hourly', cron: '0 * * * *' };

// One that is due each hour is not due in a test.
beforeEach(withinOneHour);

interface World {
  workspace: TestWorkspace;
  api: Client;
  script: TestScript;
}

/** A workspace with a published script that takes an optional city. */
async function newWorld(): Promise<World> {
  const workspace = await newWorkspace();
  const api = byOwner(workspace);
  const script = await python(api, 'print("ran")', { command: 'python3 main.py [--city {city}]' });
  return { workspace, api, script };
}

async function made(api: Client, script: TestScript, fields: Record<string, unknown> = {}): Promise<Json> {
  const answer = await api.post(`/v1/scripts/${script.slug}/schedules`, { ...CRON, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function audited(id: string): Promise<{ action: string; details: Json; actorType: string }[]> {
  const { rows } = await database().query(
    `SELECT action, details, actor_type AS "actorType" FROM audit_events WHERE target_id = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

const shut = (workspace: TestWorkspace, name: string): Promise<Answer> =>
  byOwner(workspace).patch(`/v1/workspace/environments/${name}`, { agentsAllowed: false });

describe('POST /v1/scripts/{slug}/schedules', () => {
  it('makes one with its defaults, due at the next time', async () => {
    const { workspace, api, script } = await newWorld();
    const before = Date.now();
    const answer = await api.post(`/v1/scripts/${script.slug}/schedules`, CRON);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^sch_[0-9a-z]{26}$/),
      name: 'Hourly',
      script: { id: script.id, slug: script.slug },
      environment: 'production',
      cron: '0 * * * *',
      timezone: 'UTC',
      inputs: {},
      enabled: true,
      disabledReason: null,
      createdByUserId: workspace.owner.id,
      nextRunAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/),
      lastRunAt: null,
      lastRunId: null,
    });
    const next = Date.parse(answer.body.nextRunAt);
    expect(next).toBeGreaterThan(before);
    expect(next).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect(await audited(answer.body.id)).toMatchObject([
      { action: 'schedule.created', actorType: 'user', details: { name: 'Hourly', script: script.slug } },
    ]);
  });

  it('makes one as asked, in a zone and an environment', async () => {
    const { api, script } = await newWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const inputs = { city: 'Zürich' };
    const schedule = await made(api, script, {
      cron: '30 9 1 jan *',
      timezone: 'Asia/Kathmandu',
      environment: 'staging',
      inputs,
    });
    expect(schedule).toMatchObject({ timezone: 'Asia/Kathmandu', environment: 'staging', inputs });
    expect(schedule.nextRunAt).toMatch(/^\d{4}-01-01T03:45:00\.000Z$/);
    expect((await api.get(`/v1/schedules/${schedule.id}`)).body).toEqual(schedule);
  });

  it('acts in the environment of the request where none is named', async () => {
    const { workspace, api, script } = await newWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const acting = client({
      token: workspace.owner.token,
      workspace: workspace.slug,
      environment: 'staging',
    });
    expect((await made(acting, script)).environment).toBe('staging');
    expect((await made(acting, script, { environment: 'production' })).environment).toBe('production');
  });

  it('belongs to nobody where a key makes it', async () => {
    const { workspace, script } = await newWorld();
    expect((await made(client({ token: await workspace.apiKey() }), script)).createdByUserId).toBeNull();
  });

  it('keeps names of other scripts and the order of inputs', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const script = await python(api, 'print(1)', {
      inputSchema: { type: 'object', additionalProperties: true },
    });
    const inputs = { z: 1, a: { constructor: 2 }, toString: null };
    const schedule = await made(api, script, { name: 'לילי ‏ 夜', inputs });
    expect(schedule.name).toBe('לילי ‏ 夜');
    expect(JSON.stringify(schedule.inputs)).toBe(JSON.stringify(inputs));
  });

  it('is made once for one Idempotency-Key', async () => {
    const { api, script } = await newWorld();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const path = `/v1/scripts/${script.slug}/schedules`;
    const first = await api.post(path, CRON, headers);
    const second = await api.post(path, CRON, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(ids(await api.get(path))).toEqual([first.body.id]);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ name: undefined }, ['name']],
    [{ cron: undefined }, ['cron']],
    [{ name: '' }, ['name']],
    [{ name: null }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ name: 'a\nb' }, ['name']],
    [{ cron: '' }, ['cron']],
    [{ cron: 5 }, ['cron']],
    [{ cron: '* * * *' }, ['cron']],
    [{ cron: '0 0 0 * * *' }, ['cron']],
    [{ cron: '0 0 30 2 *' }, ['cron']],
    [{ cron: '@reboot' }, ['cron']],
    [{ cron: '0 0 L * *' }, ['cron']],
    [{ cron: `0 0 * * ${'1,'.repeat(50)}1` }, ['cron']],
    [{ timezone: 'Europe/Atlantis' }, ['timezone']],
    [{ timezone: '+02:00' }, ['timezone']],
    [{ timezone: '' }, ['timezone']],
    [{ timezone: null }, ['timezone']],
    [{ inputs: [] }, ['inputs']],
    [{ inputs: null }, ['inputs']],
    [{ inputs: { city: 5 } }, ['inputs.city']],
    [{ inputs: { town: 'x' } }, ['inputs.town']],
    [{ inputs: { city: 'x'.repeat(70_000) } }, ['inputs']],
    [{ inputs: { city: 'a\0b' } }, ['inputs.city']],
    [{ environment: 'nowhere' }, ['environment']],
    [{ environment: '' }, ['environment']],
    [{ environment: null }, ['environment']],
    [{ enabled: true }, ['enabled']],
    [{ scriptId: 'x' }, ['scriptId']],
    [{ name: '', cron: '', timezone: '' }, ['name', 'cron', 'timezone']],
  ])('refuses %j', async (fields, expected) => {
    const { api, script } = await worldOfRefusals();
    const answer = await api.post(`/v1/scripts/${script.slug}/schedules`, { ...CRON, ...fields });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
    expect(paths(answer)).toEqual(expected);
    expect((await api.get('/v1/schedules')).body.items).toEqual([]);
  });

  it('refuses to give files', async () => {
    const { api } = await newWorld();
    const script = await python(api, 'print(1)', {
      command: 'python3 main.py [{table}]',
      inputSchema: { type: 'object', properties: { table: { type: 'string', format: 'file' } } },
    });
    const file = await api.post('/v1/files?name=t.csv', Buffer.from('a,b'), { 'content-type': 'text/csv' });
    const answer = await api.post(`/v1/scripts/${script.slug}/schedules`, {
      ...CRON,
      inputs: { table: file.body.id },
    });
    expect(answer.status, answer.text).toBe(400);
    expect(paths(answer)).toEqual(['inputs.table']);
    await made(api, script);
  });

  it('is 409 for a script that has nothing to run, 404 for none', async () => {
    const { api, script } = await newWorld();
    const draft = newSlug();
    await api.post('/v1/scripts', { slug: draft, name: draft });
    await newVersion(api, draft, { 'main.py': 'print(1)' });
    expect((await api.post(`/v1/scripts/${draft}/schedules`, CRON)).status).toBe(409);
    await api.delete(`/v1/scripts/${script.slug}`);
    const archived = await api.post(`/v1/scripts/${script.slug}/schedules`, CRON);
    expect(archived.status).toBe(409);
    expect(archived.body.error.message).toContain('archived');
    expect((await api.post('/v1/scripts/no-such/schedules', CRON)).status).toBe(404);
  });

  it('looks at the body before the script', async () => {
    const { api } = await worldOfRefusals();
    expect((await api.post('/v1/scripts/no-such/schedules', { name: 'x' })).status).toBe(400);
    expect((await api.post('/v1/scripts/no-such/schedules', { ...CRON, environment: 'no' })).status).toBe(
      400,
    );
  });
});

let refusals: Promise<World> | undefined;
/** One for all requests that change nothing. */
const worldOfRefusals = (): Promise<World> => (refusals ??= newWorld());

describe('who may', () => {
  it('takes the scopes', async () => {
    const { workspace, api, script } = await newWorld();
    const { id } = await made(api, script);
    const as = async (scopes: string[]): Promise<Client> =>
      client({ token: await workspace.owner.tokenWith({ scopes }), workspace: workspace.slug });
    const reader = await as(['schedules:read']);
    const writer = await as(['schedules:write']);
    const of = `/v1/scripts/${script.slug}/schedules`;
    expect((await reader.get(of)).status).toBe(200);
    expect((await reader.get('/v1/schedules')).status).toBe(200);
    expect((await reader.get(`/v1/schedules/${id}`)).status).toBe(200);
    expect((await reader.post(of, CRON)).status).toBe(403);
    expect((await reader.patch(`/v1/schedules/${id}`, {})).status).toBe(403);
    expect((await reader.delete(`/v1/schedules/${id}`)).status).toBe(403);
    expect((await writer.get(of)).status).toBe(403);
    expect((await writer.get('/v1/schedules')).status).toBe(403);
    expect((await writer.get(`/v1/schedules/${id}`)).status).toBe(403);
    expect((await writer.post(of, CRON)).status).toBe(201);
    expect((await writer.patch(`/v1/schedules/${id}`, { name: 'x' })).status).toBe(200);
    expect((await writer.delete(`/v1/schedules/${id}`)).status).toBe(204);
    expect((await client().get('/v1/schedules')).status).toBe(401);
  });

  it('is everybody but guests, for scripts that they can see', async () => {
    const { workspace, api, script } = await newWorld();
    const open = await made(api, script);
    const secret = await python(api, 'print(1)');
    const hidden = await made(api, secret);
    const team = await api.post('/v1/workspace/teams', { name: 'Others' });
    const teamId = team.status === 201 ? team.body.id : await newTeam(workspace);
    await api.patch(`/v1/scripts/${secret.slug}`, { access: 'teams', teamIds: [teamId] });
    const member = await workspace.person('member');
    const theirs = client({ token: member.token, workspace: workspace.slug });
    expect(ids(await theirs.get('/v1/schedules'))).toEqual([open.id]);
    expect((await theirs.get(`/v1/scripts/${secret.slug}/schedules`)).status).toBe(404);
    expect((await theirs.post(`/v1/scripts/${secret.slug}/schedules`, CRON)).status).toBe(404);
    expect((await theirs.get(`/v1/schedules/${hidden.id}`)).status).toBe(404);
    expect((await theirs.patch(`/v1/schedules/${hidden.id}`, { name: 'x' })).status).toBe(404);
    expect((await theirs.delete(`/v1/schedules/${hidden.id}`)).status).toBe(404);
    expect((await theirs.patch(`/v1/schedules/${open.id}`, { name: 'x' })).status).toBe(200);
    expect((await made(theirs, script)).createdByUserId).toBe(member.id);

    const guest = await workspace.person('guest');
    const shy = client({ token: guest.token, workspace: workspace.slug });
    for (const answer of [
      await shy.get('/v1/schedules'),
      await shy.get(`/v1/schedules/${open.id}`),
      await shy.get(`/v1/scripts/${script.slug}/schedules`),
      await shy.post(`/v1/scripts/${script.slug}/schedules`, CRON),
      await shy.patch(`/v1/schedules/${open.id}`, { name: 'y' }),
      await shy.delete(`/v1/schedules/${open.id}`),
    ])
      expect(answer.status).toBe(403);
  });

  it('does not let another workspace in', async () => {
    const { api, script } = await newWorld();
    const { id } = await made(api, script);
    const other = byOwner(await newWorkspace());
    expect((await other.get(`/v1/schedules/${id}`)).status).toBe(404);
    expect((await other.patch(`/v1/schedules/${id}`, { name: 'x' })).status).toBe(404);
    expect((await other.delete(`/v1/schedules/${id}`)).status).toBe(404);
    expect((await other.get('/v1/schedules')).body.items).toEqual([]);
    expect((await other.get('/v1/schedules/x')).status).toBe(404);
  });

  it('shows a bound key its own environment only', async () => {
    const { workspace, api, script } = await newWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const there = await made(api, script, { environment: 'staging' });
    const here = await made(api, script);
    const key = client({ token: await workspace.apiKey('staging') });
    expect(ids(await key.get('/v1/schedules'))).toEqual([there.id]);
    expect(ids(await key.get(`/v1/scripts/${script.slug}/schedules`))).toEqual([there.id]);
    expect((await key.get(`/v1/schedules/${here.id}`)).status).toBe(404);
    expect((await key.patch(`/v1/schedules/${here.id}`, { name: 'x' })).status).toBe(404);
    expect((await key.delete(`/v1/schedules/${here.id}`)).status).toBe(404);
    const path = `/v1/scripts/${script.slug}/schedules`;
    expect((await key.post(path, { ...CRON, environment: 'production' })).status).toBe(403);
    expect((await key.post(path, { ...CRON, environment: 'no-such' })).status).toBe(403);
    expect((await key.patch(`/v1/schedules/${there.id}`, { environment: 'production' })).status).toBe(403);
    expect((await key.patch(`/v1/schedules/${there.id}`, { environment: 'staging' })).status).toBe(200);
    expect((await made(key, script)).environment).toBe('staging');
    expect((await made(key, script, { environment: 'staging' })).environment).toBe('staging');
    const used = (await key.get(`/v1/scripts/${script.slug}`)).body.usedBy.schedules;
    expect(used.map((each: Json) => each.id)).not.toContain(here.id);
    expect(used).toHaveLength(3);
  });
});

async function newTeam({ id, owner }: TestWorkspace): Promise<string> {
  const { rows } = await database().query(
    `INSERT INTO teams (id, workspace_id, name) VALUES ($1, $2, 'Others') RETURNING id`,
    [`tea_${owner.id.slice(4)}`, id],
  );
  return rows[0].id;
}

describe('the lists', () => {
  it('are pages, newest first, with cursors of their own', async () => {
    const { api, script } = await newWorld();
    const other = await python(api, 'print(1)');
    const all: string[] = [];
    for (let count = 0; count < 3; count++) all.unshift((await made(api, script)).id);
    const another = (await made(api, other)).id;
    const first = await api.get('/v1/schedules?limit=2');
    expect(ids(first)).toEqual([another, all[0]]);
    const second = await api.get(`/v1/schedules?limit=2&cursor=${first.body.nextCursor}`);
    expect(ids(second)).toEqual([all[1], all[2]]);
    expect(second.body.nextCursor).toBeNull();
    const of = `/v1/scripts/${script.slug}/schedules`;
    expect(ids(await api.get(of))).toEqual(all);
    expect((await api.get(`${of}?cursor=${first.body.nextCursor}`)).status).toBe(400);
    expect((await api.get('/v1/schedules?limit=0')).status).toBe(400);
    expect((await api.get('/v1/schedules?enabled=true')).status).toBe(400);
    expect((await api.get('/v1/scripts/no-such/schedules')).status).toBe(404);
  });

  it('show on the script who uses it', async () => {
    const { workspace, api, script } = await newWorld();
    const { id } = await made(api, script);
    const { body } = await api.get(`/v1/scripts/${script.slug}`);
    expect(body.usedBy.schedules).toEqual([{ id, name: 'Hourly', cron: '0 * * * *', enabled: true }]);
    const guest = await workspace.person('guest');
    const team = await newTeam(workspace);
    await database().query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [team, guest.id]);
    await api.patch(`/v1/scripts/${script.slug}`, { access: 'teams', teamIds: [team] });
    const seen = await client({ token: guest.token, workspace: workspace.slug }).get(
      `/v1/scripts/${script.slug}`,
    );
    expect(seen.body.usedBy.schedules).toEqual([]);
  });
});

describe('what is due in the next days', () => {
  it('is told for each schedule of the list, by its own clock', async () => {
    const { api, script } = await newWorld();
    const daily = await made(api, script, { name: 'Daily', cron: '30 9 * * *', timezone: 'Asia/Kathmandu' });
    const often = await made(api, script, { name: 'Often', cron: '*/5 * * * *' });
    const off = await made(api, script, { name: 'Off' });
    await api.patch(`/v1/schedules/${off.id}`, { enabled: false });
    const { items } = (await api.get('/v1/schedules?upcoming=7')).body;
    const of = (id: string): string[] => items.find((one: Json) => one.id === id).upcoming;
    expect(of(daily.id)).toHaveLength(7);
    for (const time of of(daily.id)) expect(time).toMatch(/T03:45:00\.000Z$/);
    expect(of(daily.id)[0]).toBe(daily.nextRunAt);
    expect(of(often.id)).toHaveLength(60);
    expect(of(often.id)).toEqual(of(often.id).toSorted());
    expect(of(off.id)).toEqual([]);
    expect(
      (await api.get('/v1/schedules?upcoming=1')).body.items.map((one: Json) => one.upcoming.length),
    ).toEqual([0, 60, 1]);
    expect((await api.get('/v1/schedules')).body.items[0]).not.toHaveProperty('upcoming');
    for (const wrong of ['0', '8', '1.5', 'week']) {
      const answer = await api.get(`/v1/schedules?upcoming=${wrong}`);
      expect([wrong, answer.status, paths(answer)]).toEqual([wrong, 400, ['upcoming']]);
    }
  });
});

describe('PATCH /v1/schedules/{id}', () => {
  it('changes what is given, and says at once when it is due', async () => {
    const { api, script } = await newWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const schedule = await made(api, script, { cron: '0 3 * * *' });
    const path = `/v1/schedules/${schedule.id}`;
    const renamed = await api.patch(path, { name: 'Nightly' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({ ...schedule, name: 'Nightly' });
    const zoned = await api.patch(path, { timezone: 'europe/berlin', environment: 'staging' });
    expect(zoned.body).toMatchObject({ timezone: 'Europe/Berlin', environment: 'staging' });
    expect(zoned.body.nextRunAt).toMatch(/T0[12]:00:00\.000Z$/);
    const moved = await api.patch(path, { cron: '15 4 * * *', inputs: { city: 'Rome' } });
    expect(moved.body).toMatchObject({ cron: '15 4 * * *', inputs: { city: 'Rome' } });
    expect(moved.body.nextRunAt).toMatch(/T0[23]:15:00\.000Z$/);
    const off = await api.patch(path, { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, nextRunAt: null, disabledReason: null });
    expect((await api.patch(path, { cron: '20 4 * * *' })).body).toMatchObject({ nextRunAt: null });
    const on = await api.patch(path, { enabled: true });
    expect(on.body.nextRunAt).toMatch(/T0[23]:20:00\.000Z$/);
    expect((await api.get(path)).body).toEqual(on.body);
    const actions = (await audited(schedule.id)).map(({ action }) => action);
    expect(actions).toEqual(['schedule.created', ...Array(6).fill('schedule.updated')]);
  });

  it('changes nothing, and says nothing, where nothing differs', async () => {
    const { api, script } = await newWorld();
    const schedule = await made(api, script);
    const path = `/v1/schedules/${schedule.id}`;
    expect((await api.patch(path, {})).body).toEqual(schedule);
    const same = { name: 'Hourly', cron: '0 * * * *', timezone: 'UTC', inputs: {}, enabled: true };
    expect((await api.patch(path, { ...same, environment: 'production' })).body).toEqual(schedule);
    expect(await audited(schedule.id)).toHaveLength(1);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ name: null }, ['name']],
    [{ name: '' }, ['name']],
    [{ cron: '61 * * * *' }, ['cron']],
    [{ cron: null }, ['cron']],
    [{ timezone: 'PST' }, ['timezone']],
    [{ enabled: 'yes' }, ['enabled']],
    [{ enabled: null }, ['enabled']],
    [{ inputs: null }, ['inputs']],
    [{ inputs: { city: 7 } }, ['inputs.city']],
    [{ environment: 'nowhere' }, ['environment']],
    [{ createdByUserId: null }, ['createdByUserId']],
    [{ nextRunAt: null }, ['nextRunAt']],
  ])('refuses %j', async (fields, expected) => {
    const { api, script } = await newWorld();
    const schedule = await made(api, script);
    const answer = await api.patch(`/v1/schedules/${schedule.id}`, fields);
    expect(answer.status, answer.text).toBe(400);
    expect(paths(answer)).toEqual(expected);
    expect((await api.get(`/v1/schedules/${schedule.id}`)).body).toEqual(schedule);
  });

  it('takes a published version to switch it on or to check inputs against', async () => {
    const { api, script } = await newWorld();
    const { id } = await made(api, script);
    const path = `/v1/schedules/${id}`;
    await api.patch(path, { enabled: false });
    await api.post(`/v1/scripts/${script.slug}/unpublish`);
    expect((await api.patch(path, { enabled: true })).status).toBe(409);
    expect((await api.patch(path, { inputs: { city: 'x' } })).status).toBe(409);
    expect((await api.patch(path, { name: 'Still', cron: '5 * * * *' })).status).toBe(200);
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 1 });
    expect((await api.patch(path, { enabled: true })).status).toBe(200);
  });

  it('checks again what a newer version takes when it is switched on', async () => {
    const { api, script } = await newWorld();
    const { id } = await made(api, script, { inputs: { city: 'Rome' } });
    await api.patch(`/v1/schedules/${id}`, { enabled: false });
    await newVersion(api, script.slug, { 'main.py': 'print(1)' }, { command: 'python3 main.py {place}' });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    const answer = await api.patch(`/v1/schedules/${id}`, { enabled: true });
    expect(answer.status).toBe(400);
    const both = await api.patch(`/v1/schedules/${id}`, { enabled: true, inputs: { place: 'Rome' } });
    expect(both.status, both.text).toBe(200);
  });
});

describe('DELETE /v1/schedules/{id}', () => {
  it('deletes it', async () => {
    const { api, script } = await newWorld();
    const { id } = await made(api, script);
    expect((await api.delete(`/v1/schedules/${id}`)).status).toBe(204);
    expect((await api.get(`/v1/schedules/${id}`)).status).toBe(404);
    expect((await api.delete(`/v1/schedules/${id}`)).status).toBe(404);
    expect((await api.get('/v1/schedules')).body.items).toEqual([]);
    expect((await audited(id)).map(({ action }) => action)).toEqual(['schedule.created', 'schedule.deleted']);
  });

  it('frees the environment, which it keeps from being deleted', async () => {
    const { api, script } = await newWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const { id } = await made(api, script, { environment: 'staging' });
    await api.patch(`/v1/schedules/${id}`, { enabled: false });
    const path = '/v1/workspace/environments/staging';
    expect((await api.get(path)).body.usage.schedules).toBe(1);
    const held = await api.delete(path);
    expect(held.status).toBe(409);
    expect(held.body.error.message).toContain('1 schedule');
    await api.delete(`/v1/schedules/${id}`);
    expect((await api.get(path)).body.usage.schedules).toBe(0);
    expect((await api.delete(path)).status).toBe(204);
  });
});

describe('an agent', () => {
  const byAgent = async (id: string): Promise<boolean> => {
    const { rows } = await database().query('SELECT by_agent FROM schedules WHERE id = $1', [id]);
    return rows[0].by_agent;
  };

  it('makes schedules that count as its own, for its person', async () => {
    const { workspace, script } = await newWorld();
    const agent = client({ token: await workspace.owner.agent() });
    const schedule = await made(agent, script);
    expect(schedule.createdByUserId).toBe(workspace.owner.id);
    expect(await byAgent(schedule.id)).toBe(true);
  });

  it('takes over what it changes, until a person changes it', async () => {
    const { workspace, api, script } = await newWorld();
    const agent = client({ token: await workspace.owner.agent() });
    const key = client({ token: await workspace.apiKey() });
    const { id } = await made(api, script);
    const path = `/v1/schedules/${id}`;
    expect(await byAgent(id)).toBe(false);
    await agent.patch(path, { name: 'Hourly' });
    expect(await byAgent(id)).toBe(false);
    await agent.patch(path, { name: 'Mine' });
    expect(await byAgent(id)).toBe(true);
    await api.patch(path, { name: 'Ours' });
    await key.patch(path, { cron: '5 * * * *' });
    expect(await byAgent(id)).toBe(true);
    await api.patch(path, { cron: '6 * * * *' });
    expect(await byAgent(id)).toBe(false);
    await client({ cookie: workspace.owner.cookie, workspace: workspace.slug }).patch(path, { name: 'x' });
    expect((await api.get(path)).body.name).toBe('x');
  });

  it('may not schedule where agents are not allowed', async () => {
    const { workspace, api, script } = await newWorld();
    const agent = client({ token: await workspace.owner.agent() });
    await api.post('/v1/workspace/environments', { name: 'closed', agentsAllowed: false });
    const path = `/v1/scripts/${script.slug}/schedules`;
    const refused = await agent.post(path, { ...CRON, environment: 'closed' });
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('closed');
    const theirs = await made(api, script, { environment: 'closed' });
    expect((await agent.patch(`/v1/schedules/${theirs.id}`, { name: 'x' })).status).toBe(403);
    expect((await agent.patch(`/v1/schedules/${theirs.id}`, { environment: 'production' })).status).toBe(403);
    const own = await made(agent, script);
    expect((await agent.patch(`/v1/schedules/${own.id}`, { environment: 'closed' })).status).toBe(403);
    const key = client({ token: await workspace.apiKey() });
    expect((await key.patch(`/v1/schedules/${own.id}`, { environment: 'closed' })).status).toBe(403);
    expect((await api.patch(`/v1/schedules/${own.id}`, { environment: 'closed' })).status).toBe(200);
  });

  it('has its schedules switched off as soon as it is not allowed any more', async () => {
    const { workspace, api, script } = await newWorld();
    const agent = client({ token: await workspace.owner.agent() });
    const own = await made(agent, script);
    const theirs = await made(api, script);
    await shut(workspace, 'production');
    await expect
      .poll(async () => (await api.get(`/v1/schedules/${own.id}`)).body)
      .toMatchObject({
        enabled: false,
        nextRunAt: null,
        disabledReason: 'agents may not run scripts in production any more',
      });
    expect((await api.get(`/v1/schedules/${theirs.id}`)).body.enabled).toBe(true);
    expect((await audited(own.id)).at(-1)).toMatchObject({
      action: 'schedule.disabled',
      actorType: 'system',
      details: { reason: 'agents may not run scripts in production any more' },
    });
    // A key does not make it a person's; a person does.
    const key = client({ token: await workspace.apiKey() });
    expect((await key.patch(`/v1/schedules/${own.id}`, { enabled: true })).status).toBe(403);
    expect((await key.patch(`/v1/schedules/${own.id}`, { enabled: false })).status).toBe(200);
    const on = await api.patch(`/v1/schedules/${own.id}`, { enabled: true });
    expect(on.body).toMatchObject({ enabled: true, disabledReason: null });
  });
});

describe('a schedule that cannot run any more', () => {
  const disabledEvents = async (workspaceId: string): Promise<Json[]> => {
    const { rows } = await database().query(
      `SELECT data, environment_id AS "environmentId" FROM events
       WHERE workspace_id = $1 AND type = 'schedule.disabled' ORDER BY id`,
      [workspaceId],
    );
    return rows;
  };
  const untilOff = (api: Client, id: string, reason: string): Promise<void> =>
    expect
      .poll(async () => (await api.get(`/v1/schedules/${id}`)).body)
      .toMatchObject({ enabled: false, nextRunAt: null, disabledReason: reason });

  it('is switched off when its script is archived, and told of once', async () => {
    const { workspace, api, script } = await newWorld();
    const { id } = await made(api, script);
    const off = await made(api, script);
    await api.patch(`/v1/schedules/${off.id}`, { enabled: false });
    await api.delete(`/v1/scripts/${script.slug}`);
    const reason = `the script ${script.slug} is archived`;
    await untilOff(api, id, reason);
    expect(await disabledEvents(workspace.id)).toEqual([
      { data: { id, name: 'Hourly', reason }, environmentId: workspace.environmentId },
    ]);
    expect((await api.get(`/v1/schedules/${off.id}`)).body.disabledReason).toBeNull();
    expect((await api.patch(`/v1/schedules/${id}`, { enabled: true })).status).toBe(409);
    await api.post(`/v1/scripts/${script.slug}/restore`);
    expect((await api.get(`/v1/schedules/${id}`)).body.enabled).toBe(false);
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 1 });
    const on = await api.patch(`/v1/schedules/${id}`, { enabled: true });
    expect(on.body).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('is switched off when its creator leaves or becomes a guest', async () => {
    const { workspace, api, script } = await newWorld();
    for (const change of ['remove', 'demote']) {
      const member = await workspace.person('member');
      const { id } = await made(client({ token: member.token, workspace: workspace.slug }), script);
      const { body } = await api.get('/v1/workspace/members');
      const path = `/v1/workspace/members/${body.items.find((each: Json) => each.userId === member.id).id}`;
      const { status } =
        change === 'remove' ? await api.delete(path) : await api.patch(path, { role: 'guest' });
      expect(status).toBe(change === 'remove' ? 204 : 200);
      const reason =
        change === 'remove'
          ? 'its creator is not a member of the workspace any more'
          : 'its creator is a guest now, who may not have schedules, triggers or hooks';
      await untilOff(api, id, reason);
    }
  });

  it('stays off where its creator has left', async () => {
    const { workspace, api, script } = await newWorld();
    const member = await workspace.person('member');
    const theirs = client({ token: member.token, workspace: workspace.slug });
    const { id } = await made(theirs, script);
    await database().query('DELETE FROM memberships WHERE user_id = $1', [member.id]);
    await database().query(`UPDATE schedules SET next_run_at = now() WHERE id = $1`, [id]);
    await untilOff(api, id, 'its creator is not a member of the workspace any more');
    const on = await api.patch(`/v1/schedules/${id}`, { enabled: true });
    expect(on.status).toBe(409);
    expect((await api.get(`/v1/schedules/${id}`)).body.enabled).toBe(false);
  });
});
