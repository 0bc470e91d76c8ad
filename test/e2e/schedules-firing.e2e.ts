import { describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { type TestScript, newVersion, python } from '../support/scripts.js';

const MINUTE_MS = 60_000;

interface World {
  workspace: TestWorkspace;
  api: Client;
  script: TestScript;
}

async function newWorld(): Promise<World> {
  const workspace = await newWorkspace();
  const api = client({ token: workspace.owner.token, workspace: workspace.slug });
  const script = await python(api, 'import sys\nprint(" ".join(sys.argv[1:]))', {
    command: 'python3 main.py [--city {city}]',
  });
  return { workspace, api, script };
}

async function made(api: Client, script: TestScript, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Yearly', cron: '@yearly', ...fields };
  const answer = await api.post(`/v1/scripts/${script.slug}/schedules`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

/** As if it had been due then. */
async function dueAt(id: string, sql: string): Promise<void> {
  await database().query(`UPDATE schedules SET next_run_at = ${sql} WHERE id = $1`, [id]);
}

/** Its runs, once there is one. */
async function runsOf(api: Client, id: string): Promise<Json[]> {
  const list = async (): Promise<Json[]> => (await api.get(`/v1/runs?scheduleId=${id}`)).body.items;
  await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
  return list();
}

async function events(workspaceId: string, type: string): Promise<Json[]> {
  const { rows } = await database().query(
    `SELECT data, environment_id AS "environmentId" FROM events WHERE workspace_id = $1 AND type = $2 ORDER BY id`,
    [workspaceId, type],
  );
  return rows;
}

const untilOff = (api: Client, id: string, reason: RegExp): Promise<void> =>
  expect
    .poll(async () => (await api.get(`/v1/schedules/${id}`)).body)
    .toMatchObject({
      enabled: false,
      nextRunAt: null,
      disabledReason: expect.stringMatching(reason) as unknown,
    });

describe('a schedule that is due', () => {
  it('runs its script when it is, and is due again', async () => {
    const { workspace, api, script } = await newWorld();
    const id = await made(api, script, { inputs: { city: 'Rome' } });
    const { rows } = await database().query<{ due: Date }>(
      `UPDATE schedules SET next_run_at = clock_timestamp() + interval '1200 milliseconds' WHERE id = $1
       RETURNING next_run_at AS due`,
      [id],
    );
    const [run, ...others] = await runsOf(api, id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      script: { slug: script.slug },
      version: 1,
      environment: 'production',
      interface: 'schedule',
      scheduleId: id,
      triggerId: null,
      hookId: null,
      test: false,
      startedBy: { userId: workspace.owner.id, credentialType: null, credentialName: null },
    });
    const late = Date.parse(run.startedAt) - rows[0]!.due.getTime();
    expect(late).toBeGreaterThanOrEqual(0);
    const { body } = await api.get(`/v1/schedules/${id}`);
    expect(body).toMatchObject({ enabled: true, lastRunId: run.id, lastRunAt: run.startedAt });
    expect(body.nextRunAt).toBe(`${new Date(run.startedAt).getUTCFullYear() + 1}-01-01T00:00:00.000Z`);
    await expect
      .poll(async () => (await api.get(`/v1/runs/${run.id}`)).body)
      .toMatchObject({ status: 'succeeded', inputs: { city: 'Rome' }, output: '--city Rome' });
    expect((await api.get('/v1/runs?interface=schedule')).body.items).toHaveLength(1);
    const { body: seen } = await api.get(`/v1/scripts/${script.slug}`);
    expect(seen.stats.interfaces.schedule).toBe(1);
  });

  it('runs in its environment, as nobody where a key made it', async () => {
    const { workspace, api, script } = await newWorld();
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const id = await made(client({ token: await workspace.apiKey() }), script, { environment: 'staging' });
    await dueAt(id, 'now()');
    const [run] = await runsOf(api, id);
    expect(run).toMatchObject({ environment: 'staging', startedBy: { userId: null } });
  });

  it('uses the version that is published then', async () => {
    const { api, script } = await newWorld();
    const id = await made(api, script);
    await newVersion(api, script.slug, { 'main.py': 'print("second")' });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    await dueAt(id, 'now()');
    expect((await runsOf(api, id))[0].version).toBe(2);
  });

  it('makes a failed run where its inputs do not fit any more', async () => {
    const { api, script } = await newWorld();
    const id = await made(api, script, { inputs: { city: 'Rome' } });
    await newVersion(api, script.slug, { 'main.py': 'print(1)' }, { command: 'python3 main.py {place}' });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    await dueAt(id, 'now()');
    const [run] = await runsOf(api, id);
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('inputs') as unknown });
    expect((await api.get(`/v1/schedules/${id}`)).body).toMatchObject({ enabled: true, lastRunId: run.id });
  });

  it('waits for a person under `always`', async () => {
    const { api, script } = await newWorld();
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const id = await made(api, script);
    await dueAt(id, 'now()');
    expect((await runsOf(api, id))[0].status).toBe('awaiting_approval');
  });

  it('waits for a person under `agents` where it is an agent’s, and only there', async () => {
    const { workspace, api, script } = await newWorld();
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'agents' });
    const agent = client({ token: await workspace.owner.agent() });
    const theirs = await made(api, script);
    const own = await made(agent, script);
    const changed = await made(api, script);
    await agent.patch(`/v1/schedules/${changed}`, { inputs: { city: 'Rome' } });
    for (const id of [theirs, own, changed]) await dueAt(id, 'now()');
    expect((await runsOf(api, own))[0].status).toBe('awaiting_approval');
    expect((await runsOf(api, changed))[0].status).toBe('awaiting_approval');
    expect((await runsOf(api, theirs))[0].status).not.toBe('awaiting_approval');
  });

  it('does nothing while it is switched off or deleted', async () => {
    const { api, script } = await newWorld();
    const [off, gone, on] = [await made(api, script), await made(api, script), await made(api, script)];
    for (const id of [off, gone, on]) await dueAt(id, `now() + interval '4 seconds'`);
    await api.patch(`/v1/schedules/${off}`, { enabled: false });
    await api.delete(`/v1/schedules/${gone}`);
    await runsOf(api, on);
    expect((await api.get(`/v1/runs?script=${script.slug}`)).body.items).toHaveLength(1);
  });
});

describe('after an outage', () => {
  it('runs the latest time once and tells of those left out', async () => {
    const { workspace, api, script } = await newWorld();
    const id = await made(api, script, { cron: '*/5 * * * *' });
    const now = Date.now();
    const latest = Math.floor(now / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
    const from = new Date(latest - 60 * MINUTE_MS);
    await database().query('UPDATE schedules SET next_run_at = $2 WHERE id = $1', [id, from]);
    expect(await runsOf(api, id)).toHaveLength(1);
    const [told, ...others] = await events(workspace.id, 'schedule.missed');
    expect(others).toEqual([]);
    const { scheduleId, script: named, from: first, to: last, count } = told.data;
    expect({ scheduleId, named, first }).toEqual({
      scheduleId: id,
      named: { id: script.id, slug: script.slug, name: script.slug },
      first: from.toISOString(),
    });
    // Twelve, or thirteen where five more minutes were full meanwhile.
    expect(Date.parse(last)).toBe(from.getTime() + (count - 1) * 5 * MINUTE_MS);
    expect(count).toBeGreaterThanOrEqual(12);
    expect(count).toBeLessThanOrEqual(13);
    expect(told.environmentId).toBe(workspace.environmentId);
    const { body } = await api.get(`/v1/schedules/${id}`);
    expect(Date.parse(body.nextRunAt)).toBeGreaterThan(now);
  });

  it('has nothing to tell where one time was missed only', async () => {
    const { workspace, api, script } = await newWorld();
    const id = await made(api, script, { cron: '0 0 1 1 *' });
    await dueAt(id, `date_trunc('year', now())`);
    expect(await runsOf(api, id)).toHaveLength(1);
    expect(await events(workspace.id, 'schedule.missed')).toEqual([]);
  });
});

describe('a schedule that cannot run any more is switched off when it is due', () => {
  it('where its creator became a guest or sees the script no more', async () => {
    const { workspace, api, script } = await newWorld();
    const member = await workspace.person('member');
    const theirs = client({ token: member.token, workspace: workspace.slug });
    const hidden = await python(api, 'print(1)');
    const [guests, unseen] = [await made(theirs, script), await made(theirs, hidden)];
    await database().query(`UPDATE scripts SET access = 'teams' WHERE id = $1`, [hidden.id]);
    await dueAt(unseen, 'now()');
    await untilOff(api, unseen, /^its creator has no access to the script .* any more$/);
    await database().query(`UPDATE memberships SET role = 'guest' WHERE user_id = $1`, [member.id]);
    await dueAt(guests, 'now()');
    await untilOff(api, guests, /^its creator is a guest now/);
    expect((await api.get('/v1/runs?interface=schedule')).body.items).toEqual([]);
    const told = await events(workspace.id, 'schedule.disabled');
    expect(told.map(({ data }) => data.id)).toEqual([unseen, guests]);
  });

  it('where its script has no published version', async () => {
    const { api, script } = await newWorld();
    const id = await made(api, script);
    await database().query(`UPDATE scripts SET status = 'draft', published_version = NULL WHERE id = $1`, [
      script.id,
    ]);
    await dueAt(id, 'now()');
    await untilOff(api, id, /has no published version$/);
  });

  it('where what it says is not understood any more', async () => {
    const { api, script } = await newWorld();
    const [cron, zone] = [await made(api, script), await made(api, script)];
    await database().query(`UPDATE schedules SET cron = '@reboot', next_run_at = now() WHERE id = $1`, [
      cron,
    ]);
    await database().query(`UPDATE schedules SET timezone = 'Mars/Base', next_run_at = now() WHERE id = $1`, [
      zone,
    ]);
    await untilOff(api, cron, /cannot be read any more$/);
    await untilOff(api, zone, /cannot be read any more$/);
  });

  it('leaves those alone that are due with it', async () => {
    const { api, script } = await newWorld();
    const member = python(api, 'print(1)');
    const [fine, broken] = [await made(api, script), await made(api, await member)];
    await database().query(
      `UPDATE scripts SET status = 'archived' WHERE id = (SELECT script_id FROM schedules WHERE id = $1)`,
      [broken],
    );
    await database().query('UPDATE schedules SET next_run_at = now() WHERE id = ANY($1)', [[fine, broken]]);
    expect(await runsOf(api, fine)).toHaveLength(1);
    await untilOff(api, broken, /is archived$/);
  });
});

describe('one that cannot be fired', () => {
  it('is not in the way of the others', async () => {
    const { api, script } = await newWorld();
    const poisoned = await python(api, 'print(1)');
    const [fine, bad] = [await made(api, script), await made(api, poisoned)];
    // A schema that was never let pass: to compile it fails.
    await database().query(
      `UPDATE script_versions SET input_schema = '{"$ref": "#/nowhere"}' WHERE script_id = $1`,
      [poisoned.id],
    );
    await database().query('UPDATE schedules SET next_run_at = now() WHERE id = ANY($1)', [[fine, bad]]);
    expect(await runsOf(api, fine)).toHaveLength(1);
    expect((await api.get(`/v1/runs?scheduleId=${bad}`)).body.items).toEqual([]);
    await api.delete(`/v1/schedules/${bad}`);
  });
});
