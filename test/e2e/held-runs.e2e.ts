import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { type TestScript, finished, newVersion, python, run, runUntil } from '../support/scripts.js';

let workspace: TestWorkspace;
/** The owner in the app, who decides. */
let owner: Client;
let api: Client;
let agent: Client;

const inApp = (cookie: string): Client => client({ cookie, workspace: workspace.slug });

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = inApp(workspace.owner.cookie);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  agent = client({ token: await workspace.owner.agent() });
});

const ECHO = 'import sys\nprint("said " + sys.argv[1])';

async function script(policy: string, fields: Record<string, unknown> = {}): Promise<TestScript> {
  const made = await python(api, ECHO, { command: 'python3 main.py {word}', ...fields });
  const patched = await api.patch(`/v1/scripts/${made.slug}`, { approvalPolicy: policy });
  expect(patched.status, patched.text).toBe(200);
  return made;
}

async function held(of: TestScript, by: Client = api): Promise<Json> {
  const answer = await run(by, of, { word: 'hello' });
  expect(answer.status, answer.text).toBe(202);
  expect(answer.body).toMatchObject({ status: 'awaiting_approval', phase: 'held' });
  return answer.body;
}

const requestOf = async (of: Json): Promise<Json> =>
  (await owner.get(`/v1/workspace/approval-requests/${of.approval.id}`)).body;

const approve = (of: Json, by: Client = owner) =>
  by.post(`/v1/workspace/approval-requests/${of.approval.id}/approve`);

describe('a run that is held', () => {
  it('names its request, which says exactly what will happen', async () => {
    const always = await script('always', { hosts: ['api.example.com'] });
    const body = await held(always);
    expect(body.approval).toEqual({
      id: body.approvalRequestId,
      approveUrl: expect.stringMatching(new RegExp(`/approvals/${body.approvalRequestId}$`)),
    });
    expect(await requestOf(body)).toMatchObject({
      action: 'run.start',
      status: 'pending',
      summary: `Run version 1 of the script ${always.slug} (${always.slug}) in production with the inputs {"word":"hello"}. It may reach api.example.com.`,
      input: {
        script: always.slug,
        version: 1,
        environment: 'production',
        inputs: { word: 'hello' },
        hosts: ['api.example.com'],
        test: false,
      },
      reason: 'The approval policy of the script is `always`: a person has to approve every run.',
      requestedBy: workspace.owner.id,
      secret: null,
      result: null,
    });
    const listed = (await owner.get('/v1/workspace/approval-requests?status=pending')).body.items;
    expect(listed.map(({ id }: Json) => id)).toContain(body.approvalRequestId);
    const actions = (await api.get('/v1/workspace/approval-actions')).body.items;
    expect(actions.map(({ id }: Json) => id)).not.toContain('run.start');
  });

  it('says everything that a start may ask for, in its request and in words', async () => {
    const { body: document } = await api.get('/v1/openapi.json');
    const later = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const given: Json = {
      inputs: { word: 'hello' },
      startAt: later(1),
      expiresAt: later(2),
      retry: { attempts: 7, delay: 3, factor: 1, maxDelay: 60, on: ['failed'] },
      priority: 5,
      labels: { ticket: 'T-1042' },
      plan: true,
    };
    // By which program it was started, its requester says.
    const { via, ...fields } = document.components.schemas.RunInput.properties as Json;
    expect(via).toBeDefined();
    expect(Object.keys(given).sort()).toEqual(Object.keys(fields).sort());
    const { plan, ...start } = given;
    const always = await script('always');
    for (const asked of [start, { plan }]) {
      const answer = await api.post(`/v1/scripts/${always.slug}/runs`, { inputs: given.inputs, ...asked });
      expect(answer.status, answer.text).toBe(202);
      expect((await requestOf(answer.body)).input).toMatchObject(asked);
      await api.post(`/v1/runs/${answer.body.id}/cancel`);
    }
    const { body } = await api.post(`/v1/scripts/${always.slug}/runs`, start);
    const { summary } = await requestOf(body);
    for (const said of [start.startAt, start.expiresAt, '7 times', 'priority is 5', '"T-1042"'])
      expect(summary).toContain(said);
  });

  it('says how often its version lets it begin, whoever starts it', async () => {
    const retry = { attempts: 4, delay: 3600 };
    const always = await script('always', { retry });
    expect(await requestOf(await held(always))).toMatchObject({
      input: { retry },
      summary: expect.stringContaining('It is tried up to 4 times.'),
    });
    const schedule = { name: 'S', cron: '0 0 1 1 *', inputs: { word: 'hello' } };
    const { body } = await api.post(`/v1/scripts/${always.slug}/schedules`, schedule);
    await database().query(`UPDATE schedules SET next_run_at = now() WHERE id = $1`, [body.id]);
    const requests = async (): Promise<Json[]> =>
      (await owner.get('/v1/workspace/approval-requests?status=pending&limit=100')).body.items.filter(
        ({ input }: Json) => input.script === always.slug,
      );
    await expect.poll(async () => (await requests()).length).toBe(2);
    for (const { input } of await requests()) expect(input).toMatchObject({ retry });
  });

  it('has words about its request whatever character stands where they are cut', async () => {
    const always = await script('always');
    for (const begin of ['', 'a']) {
      const answer = await run(api, always, { word: `${begin}${'😀'.repeat(2_000)}` });
      expect(answer.status, answer.text).toBe(202);
      const { summary } = await requestOf(answer.body);
      expect(summary).toMatch(/ \{"word":"a?😀+… \(/u);
    }
  });

  it('runs once somebody says yes', async () => {
    const body = await held(await script('always'));
    const approved = await approve(body);
    expect(approved.status, approved.text).toBe(200);
    expect(approved.body).toMatchObject({ status: 'completed', result: { runId: body.id } });
    expect(await runUntil(api, body.id, finished)).toMatchObject({
      status: 'succeeded',
      output: 'said hello',
      approvalRequestId: body.approvalRequestId,
    });
    expect((await approve(body)).status).toBe(400);
    const { rows } = await database().query(
      `SELECT type FROM events WHERE data ->> 'runId' = $1 ORDER BY id`,
      [body.id],
    );
    expect(rows.map(({ type }) => type).sort()).toEqual([
      'approval.decided',
      'approval.requested',
      'run.awaiting_approval',
      'run.started',
      'run.succeeded',
    ]);
  });

  it('is cancelled when somebody says no, in their words', async () => {
    const body = await held(await script('always'));
    const denied = await owner.post(`/v1/workspace/approval-requests/${body.approval.id}/deny`, {
      reason: 'not on a Friday',
    });
    expect(denied.status, denied.text).toBe(200);
    expect((await api.get(`/v1/runs/${body.id}`)).body).toMatchObject({
      status: 'cancelled',
      error: 'the approval was denied: not on a Friday',
      executionStartedAt: null,
    });
  });

  it('is cancelled when nobody says anything for a day', async () => {
    const body = await held(await script('always'));
    await database().query(
      `UPDATE approval_requests SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [body.approval.id],
    );
    expect(await requestOf(body)).toMatchObject({ status: 'expired' });
    expect((await approve(body)).status).toBe(400);
    expect(await runUntil(api, body.id, finished)).toMatchObject({
      status: 'cancelled',
      error: 'nobody approved it within 24 hours',
    });
  });

  it('expires its request when it is cancelled', async () => {
    const body = await held(await script('always'));
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    expect(await requestOf(body)).toMatchObject({ status: 'expired' });
    expect((await approve(body)).status).toBe(400);
  });

  it('is started or cancelled, never both, when both are asked for at once', async () => {
    const always = await script('always');
    for (let round = 0; round < 8; round++) {
      const body = await held(always);
      const [yes] = await Promise.all([approve(body), api.post(`/v1/runs/${body.id}/cancel`)]);
      const end = await runUntil(api, body.id, finished);
      expect([200, 400]).toContain(yes.status);
      if (yes.status === 400) expect(end).toMatchObject({ status: 'cancelled', executionStartedAt: null });
    }
  });

  it('keeps the version of when it was asked for', async () => {
    const always = await script('always');
    const body = await held(always);
    await newVersion(api, always.slug, { 'main.py': 'print("other")' });
    expect((await api.post(`/v1/scripts/${always.slug}/publish`, { version: 2 })).status).toBe(200);
    await approve(body);
    expect(await runUntil(api, body.id, finished)).toMatchObject({ version: 1, output: 'said hello' });
  });

  it('may be approved by the owner of its script, and by no other member', async () => {
    const author = await workspace.person('member');
    const theirs = client({ token: author.token, workspace: workspace.slug });
    const made = await python(theirs, ECHO, { command: 'python3 main.py {word}' });
    await theirs.patch(`/v1/scripts/${made.slug}`, { approvalPolicy: 'always' });
    const body = await held(made);
    const other = await workspace.person('member');
    expect((await approve(body, inApp(other.cookie))).status).toBe(403);
    expect((await approve(body, inApp(author.cookie))).body).toMatchObject({ status: 'completed' });
  });

  it('tells a retry with its idempotency key the same', async () => {
    const always = await script('always');
    const headers = { 'idempotency-key': 'held-once' };
    const first = await run(api, always, { word: 'x' }, headers);
    const again = await run(api, always, { word: 'x' }, headers);
    expect(again.status).toBe(202);
    expect(again.body.approval).toEqual(first.body.approval);
    const { rowCount } = await database().query('SELECT FROM approval_requests WHERE run_id = $1', [
      first.body.id,
    ]);
    expect(rowCount).toBe(1);
  });
});

describe('the stricter policy wins', () => {
  it.each([
    ['none', 'none', 'nobody'],
    ['agents', 'none', 'agents'],
    ['none', 'agents', 'agents'],
    ['agents', 'always', 'everybody'],
    ['always', 'none', 'everybody'],
  ])('script %s, environment %s: holds %s', async (ofScript, ofEnvironment, whom) => {
    const name = `e-${ofScript}-${ofEnvironment}`;
    const made = await script(ofScript);
    const created = await owner.post('/v1/workspace/environments', { name, approvalPolicy: ofEnvironment });
    expect(created.status, created.text).toBe(201);
    const acting = { 'x-environment': name };
    const person = await run(api, made, { word: 'a' }, acting);
    const byAgent = await run(agent, made, { word: 'a' }, acting);
    expect([person.body.status, byAgent.body.status]).toEqual([
      whom === 'everybody' ? 'awaiting_approval' : 'succeeded',
      whom === 'nobody' ? 'succeeded' : 'awaiting_approval',
    ]);
  });

  it('and agents may be kept out of an environment altogether', async () => {
    const made = await script('none');
    await owner.post('/v1/workspace/environments', { name: 'people-only', agentsAllowed: false });
    expect((await run(agent, made, { word: 'a' }, { 'x-environment': 'people-only' })).status).toBe(403);
  });
});

describe('a world that has changed since', () => {
  async function refused(body: Json, reason: string): Promise<void> {
    const answer = await approve(body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'failed',
      result: { error: expect.stringContaining(reason) },
    });
    expect((await api.get(`/v1/runs/${body.id}`)).body).toMatchObject({
      status: 'cancelled',
      error: expect.stringContaining(reason),
    });
  }

  it('archived the script', async () => {
    const always = await script('always');
    const body = await held(always);
    expect((await api.delete(`/v1/scripts/${always.slug}`)).status).toBe(204);
    await refused(body, 'is archived');
  });

  it('took the starter out of the workspace', async () => {
    const always = await script('always');
    const starter = await workspace.person('member');
    const body = await held(always, client({ token: starter.token, workspace: workspace.slug }));
    await database().query('DELETE FROM memberships WHERE user_id = $1', [starter.id]);
    await refused(body, 'not a member of the workspace');
  });

  it('disabled the starter', async () => {
    const starter = await workspace.person('member');
    const always = await script('always');
    const body = await held(always, client({ token: starter.token, workspace: workspace.slug }));
    await database().query('UPDATE users SET disabled_at = now() WHERE id = $1', [starter.id]);
    await refused(body, 'not a member of the workspace');
  });

  it('closed the script to the starter', async () => {
    const always = await script('always');
    const starter = await workspace.person('member');
    const body = await held(always, client({ token: starter.token, workspace: workspace.slug }));
    const team = await owner.post('/v1/workspace/teams', { name: `closed-${body.id}` });
    expect(team.status, team.text).toBe(201);
    await api.patch(`/v1/scripts/${always.slug}`, { access: 'teams', teamIds: [team.body.id] });
    await refused(body, 'has no access');
  });

  it('lost an input file', async () => {
    const made = await python(api, 'print(1)', {
      command: 'python3 main.py {file}',
      inputSchema: { type: 'object', properties: { file: { type: 'string', format: 'file' } } },
    });
    await api.patch(`/v1/scripts/${made.slug}`, { approvalPolicy: 'always' });
    const file = await api.post('/v1/files?name=a.txt', 'hello', { 'content-type': 'text/plain' });
    expect(file.status, file.text).toBe(201);
    const answer = await run(api, made, { file: file.body.id });
    expect(answer.status, answer.text).toBe(202);
    await database().query(`UPDATE files SET expires_at = now() - interval '1 second' WHERE run_id = $1`, [
      answer.body.id,
    ]);
    await refused(answer.body, 'an input file has expired');
  });
});

it('a test of a version that nobody published is held where publishing takes two', async () => {
  const other = await newWorkspace();
  const there = client({ token: other.owner.token, workspace: other.slug });
  const made = await python(there, 'print("published")');
  await newVersion(there, made.slug, { 'main.py': 'print("draft")' });
  expect(
    (await there.patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: true })).status,
  ).toBe(200);
  const draft = await there.post(`/v1/scripts/${made.slug}/versions/2/runs`, {});
  expect(draft.body).toMatchObject({ status: 'awaiting_approval', approval: { id: expect.any(String) } });
  const published = await there.post(`/v1/scripts/${made.slug}/versions/1/runs`, {});
  expect(published.body).toMatchObject({ status: 'succeeded', approval: null });
});
