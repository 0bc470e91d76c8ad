import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { auditOf, eventsOf } from '../support/people.js';
import { archiveOf, newSlug } from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;
let member: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  member = client({ token: (await workspace.person('member')).token, workspace: workspace.slug });
});

async function draft(): Promise<string> {
  const slug = newSlug();
  expect((await api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  return slug;
}

async function trialOf(slug: string, code: string, fields: object = {}, by = member): Promise<Json> {
  const archive = await archiveOf({ 'main.py': code });
  const made = await by.post(`/v1/scripts/${slug}/trials`, { archive, ...fields });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const runOf = (slug: string, id: string, inputs: object = {}, by = member) =>
  by.post(`/v1/scripts/${slug}/trials/${id}/runs`, { inputs, via: 'cli' });

/** A run once it has ended. */
async function ended({ body: { id } }: { body: Json }): Promise<Json> {
  let run: Json;
  await expect.poll(async () => (run = (await member.get(`/v1/runs/${id}`)).body).phase).toBe('finished');
  return run!;
}

describe('a trial', () => {
  it('is run as a test, of no version', async () => {
    const slug = await draft();
    const trial = await trialOf(slug, 'import sys\nprint(sys.argv[1])', {
      command: 'python3 main.py {word}',
    });
    expect(trial).toMatchObject({
      id: expect.stringMatching(/^tri_[0-9a-z]{26}$/),
      command: 'python3 main.py {word}',
      createdBy: { name: 'Member Person' },
      inputSchema: { required: ['word'] },
    });
    expect(trial).not.toHaveProperty('number');
    const day = Date.parse(trial.expiresAt) - Date.parse(trial.createdAt);
    expect(day).toBe(86_400_000);
    const started = await runOf(slug, trial.id, { word: 'hello' });
    expect([started.status, started.body.status]).toEqual([202, 'running']);
    const body = await ended(started);
    const whose = { test: true, trial: true, version: 0, interface: 'cli' };
    expect(body).toMatchObject({ status: 'succeeded', output: 'hello', ...whose });
    expect((await runOf(slug, trial.id)).body.error.details).toMatchObject([{ path: 'inputs.word' }]);
    const again = await member.post(`/v1/runs/${body.id}/rerun`);
    expect(again.body).toMatchObject({
      status: 'succeeded',
      trial: true,
      test: true,
      inputs: { word: 'hello' },
    });
    expect((await auditOf(workspace, trial.id)).map(({ action }) => action as string)).toEqual([
      'script.trial.created',
    ]);
  });

  it('is no version: in no list, under no number, and nobody publishes it', async () => {
    const slug = await draft();
    const trial = await trialOf(slug, 'print(1)');
    expect((await api.get(`/v1/scripts/${slug}/versions`)).body.items).toEqual([]);
    expect((await api.get(`/v1/scripts/${slug}`)).body).toMatchObject({
      lastVersion: 0,
      status: 'draft',
      revision: 1,
    });
    for (const version of [0, -1, trial.id]) {
      expect((await api.post(`/v1/scripts/${slug}/publish`, { version })).status).toBe(400);
      expect((await api.get(`/v1/scripts/${slug}/versions/${version}`)).status).toBe(404);
      expect((await api.post(`/v1/scripts/${slug}/versions/${version}/runs`, {})).status).toBe(404);
    }
    expect((await api.post(`/v1/scripts/${slug}/publish`, { version: 1 })).status).toBe(404);
    const archive = await archiveOf({ 'main.py': 'print(2)' });
    expect((await api.post(`/v1/scripts/${slug}/versions`, { archive })).body.number).toBe(1);
  });

  it('changes nothing of the script, and takes nothing that would', async () => {
    const slug = await draft();
    const archive = await archiveOf({ 'main.py': 'print(1)' });
    for (const field of [{ tags: ['x'] }, { readme: 'x' }, { expectedVersion: 0 }, { via: 'app' }]) {
      const { status, body } = await api.post(`/v1/scripts/${slug}/trials`, { archive, ...field });
      expect([status, body.error.details[0].path]).toEqual([400, Object.keys(field)[0]]);
    }
    const secret = await api.post(`/v1/scripts/${slug}/trials`, { archive, hosts: ['not a host'] });
    expect([secret.status, secret.body.error.details[0].path]).toEqual([400, 'hosts.0']);
  });

  it('is read and downloaded by whoever sees the script, until it expires', async () => {
    const slug = await draft();
    const trial = await trialOf(slug, 'print(1)');
    const route = `/v1/scripts/${slug}/trials/${trial.id}`;
    expect((await api.get(route)).body).toEqual(trial);
    const archive = await api.get(`${route}/archive`);
    expect(archive.headers.get('etag')).toContain(trial.archiveSha256);
    const other = await draft();
    expect((await api.get(`/v1/scripts/${other}/trials/${trial.id}`)).status).toBe(404);
    expect((await runOf(other, trial.id)).status).toBe(404);
    const run = { body: await ended(await runOf(slug, trial.id)) };
    await database().query('UPDATE script_versions SET trial_until = now() WHERE id = $1', [trial.id]);
    const late = await runOf(slug, trial.id);
    expect([late.status, late.body.error.message]).toEqual([
      404,
      expect.stringContaining('may have expired'),
    ]);
    expect((await member.post(`/v1/runs/${run.body.id}/rerun`)).status).toBe(404);
    for (const path of [route, `${route}/archive`]) expect((await api.get(path)).status).toBe(404);
    expect((await api.get(`/v1/runs/${run.body.id}`)).body).toMatchObject({ trial: true, version: 0 });
  });

  it('can be run no more once its maker has made 20 later ones of the script', async () => {
    const slug = await draft();
    const [first, ofOwner] = [await trialOf(slug, 'print(0)'), await trialOf(slug, 'print("o")', {}, api)];
    for (let count = 1; count <= 19; count++) await trialOf(slug, `print(${count})`);
    expect((await runOf(slug, first.id)).status).toBe(202);
    await trialOf(slug, 'print(20)');
    expect((await runOf(slug, first.id)).status).toBe(404);
    expect((await runOf(slug, ofOwner.id)).status).toBe(202);
  });

  it('is made once by a repeated request', async () => {
    const slug = await draft();
    const body = { archive: await archiveOf({ 'main.py': 'print(1)' }) };
    const key = { 'idempotency-key': `trial-${slug}` };
    const [one, two] = [
      await api.post(`/v1/scripts/${slug}/trials`, body, key),
      await api.post(`/v1/scripts/${slug}/trials`, body, key),
    ];
    expect(two.body).toEqual(one.body);
    expect(two.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is refused while the script is archived', async () => {
    const slug = await draft();
    const trial = await trialOf(slug, 'print(1)');
    await api.delete(`/v1/scripts/${slug}`);
    const archive = await archiveOf({ 'main.py': 'print(1)' });
    expect((await api.post(`/v1/scripts/${slug}/trials`, { archive })).status).toBe(409);
    expect((await runOf(slug, trial.id)).status).toBe(409);
  });

  it('waits for a second person where publishing takes two, who can read what it is', async () => {
    const other = await newWorkspace();
    const owner = client({ token: other.owner.token, workspace: other.slug });
    const author = client({ token: (await other.person('member')).token, workspace: other.slug });
    await owner.patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: true });
    const slug = newSlug();
    await author.post('/v1/scripts', { slug, name: 'Held' });
    const archive = await archiveOf({ 'main.py': 'print("held")' });
    const trial = await author.post(`/v1/scripts/${slug}/trials`, { archive, hosts: ['api.example.com'] });
    const held = await author.post(`/v1/scripts/${slug}/trials/${trial.body.id}/runs`, {});
    expect([held.status, held.body.status]).toEqual([202, 'awaiting_approval']);
    const inApp = client({ cookie: other.owner.cookie, workspace: other.slug });
    const { body: request } = await inApp.get(`/v1/workspace/approval-requests/${held.body.approval.id}`);
    expect(request).toMatchObject({
      summary: expect.stringMatching(/^Test a trial of the script .*It may reach api\.example\.com\.$/),
      input: { script: slug, version: 0, trial: trial.body.id, test: true, hosts: ['api.example.com'] },
    });
    expect((await approve(inApp, held.body.approval.id)).status).toBe(200);
    await expect
      .poll(async () => (await owner.get(`/v1/runs/${held.body.id}`)).body.status)
      .toBe('succeeded');
  });

  it('is said in the events of its runs', async () => {
    const slug = await draft();
    const trial = await trialOf(slug, 'print(1)');
    const body = await ended(await runOf(slug, trial.id));
    const { rows } = await database().query<{ data: Json }>(
      `SELECT data FROM events WHERE workspace_id = $1 AND type = 'run.succeeded' AND data->>'runId' = $2`,
      [workspace.id, body.id],
    );
    expect(rows[0]!.data).toMatchObject({ trial: true, test: true, version: 0 });
    expect(await eventsOf(workspace, 'script.published')).toEqual([]);
  });
});
