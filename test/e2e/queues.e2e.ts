import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve, byToken, inApp } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { finished, newSlug, python, run, runUntil, type TestScript } from '../support/scripts.js';

const QUEUES = '/v1/workspace/queues';
/** Goes on until somebody cancels it. */
const FOREVER = 'import time\ntime.sleep(600)';
const SCHEMA = { type: 'object', properties: { customer: {} } };

let ws: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
});

const newQueue = async (fields: object = {}): Promise<string> => {
  const { status, body, text } = await owner.post(QUEUES, { name: newSlug(), ...fields });
  expect(status, text).toBe(201);
  return body.name as string;
};
const put = async ({ slug }: TestScript, queue: string | null): Promise<void> => {
  const { status, body, text } = await owner.patch(`/v1/scripts/${slug}`, { queue });
  expect(status, text).toBe(200);
  expect(body.queue).toBe(queue);
};
const change = async (queue: string, patch: object): Promise<Json> => {
  const { status, body, text } = await owner.patch(`${QUEUES}/${queue}`, patch);
  expect(status, text).toBe(200);
  return body;
};
const long = (fields: object = {}): Promise<TestScript> =>
  python(owner, FOREVER, { timeout: 700, inputSchema: SCHEMA, ...fields });
const queued = async (queue: string, fields: object = {}): Promise<TestScript> => {
  const script = await long(fields);
  await put(script, queue);
  return script;
};
const started = async (script: TestScript, inputs: Record<string, unknown> = {}): Promise<string> => {
  const { status, body, text } = await run(owner, script, inputs);
  expect(status, text).toBeLessThan(300);
  return body.id as string;
};
const look = async (id: string): Promise<Json> => (await owner.get(`/v1/runs/${id}`)).body;
const inPhase = (id: string, phase: string): Promise<Json> =>
  runUntil(owner, id, (row) => (row as { phase: string }).phase === phase);
const cancel = async (...ids: string[]): Promise<void> => {
  for (const id of ids) await owner.post(`/v1/runs/${id}/cancel`);
  for (const id of ids) await runUntil(owner, id, finished);
};

describe('the runs of the scripts in a queue', () => {
  it('share its places in all environments, and say why they wait', async () => {
    const queue = await newQueue({ limit: 2 });
    const [one, other] = [await queued(queue), await queued(queue)];
    await owner.post('/v1/workspace/environments', { name: 'staging' });
    const first = await started(one);
    const second = (await run(owner, other, {}, { 'x-environment': 'staging' })).body.id as string;
    await inPhase(first, 'executing');
    await inPhase(second, 'executing');
    const third = await started(other);
    const fourth = await started(one);
    expect(await inPhase(fourth, 'waiting')).toMatchObject({
      status: 'running',
      queue,
      queuedBehind: 1,
      waitsBecause: `It waits for its turn: 2 of 2 runs of the queue “${queue}” that may go on at once do, and 1 run goes before it.`,
    });
    const { body } = await owner.get(`${QUEUES}/${queue}`);
    expect(body).toMatchObject({ name: queue, limit: 2, paused: false, going: 2, waiting: 2 });
    expect((body.scripts as { slug: string }[]).map(({ slug }) => slug)).toEqual(
      [one.slug, other.slug].sort(),
    );
    await cancel(first);
    await inPhase(third, 'executing');
    expect((await look(fourth)).phase).toBe('waiting');
    await cancel(fourth, second, third);
  });

  it('go by their priority, then by their age, whichever script they are of', async () => {
    const queue = await newQueue({ limit: 1 });
    const [one, other] = [await queued(queue), await queued(queue)];
    const going = await started(one);
    await inPhase(going, 'executing');
    const late = await started(one);
    const high = (await owner.post(`/v1/scripts/${other.slug}/runs`, { priority: 5 })).body.id as string;
    expect(await inPhase(late, 'waiting')).toMatchObject({ queuedBehind: 1 });
    await cancel(going);
    await inPhase(high, 'executing');
    expect((await look(late)).phase).toBe('waiting');
    await cancel(high);
    await inPhase(late, 'executing');
    await cancel(late);
  });

  it('need a place of their key as well, and let others pass meanwhile', async () => {
    const queue = await newQueue({ limit: 2 });
    const script = await queued(queue, { concurrency: { limit: 1, key: '{customer}' } });
    const first = await started(script, { customer: 'acme' });
    await inPhase(first, 'executing');
    const second = await started(script, { customer: 'acme' });
    const third = await started(script, { customer: 'umbrella' });
    await inPhase(third, 'executing');
    expect((await inPhase(second, 'waiting')).waitsBecause).toContain('1 of 1 runs of “acme”');
    await cancel(first);
    await inPhase(second, 'executing');
    await cancel(second, third);
  });

  it('are skipped and replaced by their key alone, while the queue has them wait', async () => {
    const queue = await newQueue({ paused: true });
    const skipping = await queued(queue, { concurrency: { limit: 1, onLimit: 'skip' } });
    const first = await started(skipping);
    const second = await started(skipping);
    expect(await runUntil(owner, second, finished)).toMatchObject({ endReason: 'skipped' });
    const replacing = await queued(queue, { concurrency: { limit: 1, onLimit: 'replace' } });
    const third = await started(replacing);
    const fourth = await started(replacing);
    expect(await runUntil(owner, third, finished)).toMatchObject({ endReason: 'replaced' });
    expect((await look(first)).phase).toBe('waiting');
    expect((await look(fourth)).phase).toBe('waiting');
    await change(queue, { paused: false });
    await inPhase(first, 'executing');
    await inPhase(fourth, 'executing');
    await cancel(first, fourth);
  });

  it('take their turn after their approval, their time and between their attempts', async () => {
    const code = 'import sys, os\nif os.environ["GATEHOUSE_ATTEMPT"] == "1": sys.exit(75)\n';
    const retry = { attempts: 2, delay: 3600, on: ['exit:75'] };
    const script = await long();
    const retrying = await python(owner, code, { retry, timeout: 700 });
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = (await owner.post(`/v1/scripts/${script.slug}/runs`, { startAt })).body.id as string;
    const again = await started(retrying);
    await inPhase(again, 'retrying');
    await owner.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const held = (await run(owner, script)).body;
    // They were asked for before their scripts came into a queue.
    const queue = await newQueue({ paused: true });
    for (const one of [script, retrying]) await put(one, queue);
    await approve(inApp(ws, ws.owner), held.approval.id as string);
    await owner.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'none' });
    await database().query(`UPDATE runs SET start_at = now() WHERE id = $1`, [later]);
    await database().query(`UPDATE runs SET next_attempt_at = now() WHERE id = $1`, [again]);
    for (const id of [held.id as string, later, again]) await inPhase(id, 'waiting');
    await change(queue, { paused: false });
    expect(await runUntil(owner, again, finished)).toMatchObject({ status: 'succeeded', attempt: 2 });
    await inPhase(held.id as string, 'executing');
    await inPhase(later, 'executing');
    await cancel(held.id as string, later);
  });
});

describe('a queue that is changed', () => {
  it('lets none begin while it is paused, and those that go on do', async () => {
    const queue = await newQueue({ limit: 1 });
    const script = await queued(queue);
    const first = await started(script);
    await inPhase(first, 'executing');
    const second = await started(script);
    await change(queue, { paused: true });
    expect((await look(first)).phase).toBe('executing');
    expect((await inPhase(second, 'waiting')).waitsBecause).toBe(
      `The queue “${queue}” is paused: no run of it begins until somebody resumes it.`,
    );
    await cancel(first);
    await owner.get(`${QUEUES}/${queue}`);
    expect(await change(queue, { limit: 5 })).toMatchObject({ going: 0, waiting: 1, paused: true });
    expect((await look(second)).phase).toBe('waiting');
    await change(queue, { paused: false });
    await inPhase(second, 'executing');
    await cancel(second);
  });

  it('counts at once with its new limit', async () => {
    const queue = await newQueue({ limit: 1 });
    const script = await queued(queue);
    const ids = [await started(script), await started(script), await started(script), await started(script)];
    await inPhase(ids[0]!, 'executing');
    await change(queue, { limit: 3 });
    for (const id of ids.slice(0, 3)) await inPhase(id, 'executing');
    await change(queue, { limit: 1 });
    await cancel(ids[0]!);
    expect(await owner.get(`${QUEUES}/${queue}`)).toMatchObject({ body: { going: 2, waiting: 1 } });
    await change(queue, { limit: null });
    await inPhase(ids[3]!, 'executing');
    await cancel(...ids.slice(1));
  });

  it('has what waits of a script that moves wait there, and counts what goes on', async () => {
    const [from, to] = [await newQueue({ limit: 1 }), await newQueue({ limit: 1 })];
    const [one, other] = [await queued(from), await queued(to)];
    const first = await started(one);
    await inPhase(first, 'executing');
    const second = await started(one);
    const third = await started(other);
    await inPhase(third, 'executing');
    await put(one, to);
    expect(await owner.get(`${QUEUES}/${to}`)).toMatchObject({ body: { going: 2, waiting: 1 } });
    expect(await owner.get(`${QUEUES}/${from}`)).toMatchObject({ body: { going: 0, waiting: 0 } });
    await cancel(first);
    expect(await inPhase(second, 'waiting')).toMatchObject({ queue: to });
    await put(one, null);
    expect(await inPhase(second, 'executing')).toMatchObject({ queue: null });
    await cancel(second, third);
  });

  it('is in the audit log and an event', async () => {
    const queue = await newQueue({ limit: 2 });
    await change(queue, { limit: 2 });
    await change(queue, { paused: true });
    expect((await owner.delete(`${QUEUES}/${queue}`)).status).toBe(204);
    const { rows } = await database().query(
      `SELECT action, details FROM audit_events WHERE workspace_id = $1 AND details ->> 'name' = $2 ORDER BY id`,
      [ws.id, queue],
    );
    expect(rows).toEqual([
      { action: 'queue.created', details: { name: queue, limit: 2, paused: false } },
      { action: 'queue.updated', details: { name: queue, paused: { from: false, to: true } } },
      { action: 'queue.deleted', details: { name: queue } },
    ]);
    const events = await database().query(
      `SELECT data FROM events WHERE workspace_id = $1 AND type = 'queue.updated' AND data ->> 'name' = $2`,
      [ws.id, queue],
    );
    expect(events.rows).toEqual([{ data: { name: queue, limit: 2, paused: true, changed: ['paused'] } }]);
  });
});

describe('a workspace', () => {
  it('has queues of different names, and keeps those in which scripts are', async () => {
    const queue = await newQueue();
    const script = await long();
    expect(await owner.post(QUEUES, { name: queue })).toMatchObject({
      status: 409,
      body: { error: { details: [{ path: 'name', message: 'is taken' }] } },
    });
    await put(script, queue);
    const kept = await owner.delete(`${QUEUES}/${queue}`);
    expect(kept.status).toBe(409);
    expect(kept.text).toContain(`1 script is in the queue ${queue}. Take them out first.`);
    await put(script, null);
    expect((await owner.delete(`${QUEUES}/${queue}`)).status).toBe(204);
    for (const answer of [await owner.get(`${QUEUES}/${queue}`), await owner.patch(`${QUEUES}/${queue}`, {})])
      expect(answer.status).toBe(404);
  });

  it('refuses what is no queue, at the path', async () => {
    const path = async (body: object): Promise<string[]> => {
      const { status, body: answer } = await owner.post(QUEUES, body);
      expect(status).toBe(400);
      return (answer.error.details as { path: string }[]).map((detail) => detail.path);
    };
    expect(await path({ name: 'Imports', limit: 0, paused: 1 })).toEqual(['name', 'limit', 'paused']);
    expect(await path({ name: 'a', limit: 1001 })).toEqual(['limit']);
    const script = await long();
    const unknown = await owner.patch(`/v1/scripts/${script.slug}`, { queue: 'nowhere' });
    expect(unknown.status, unknown.text).toBe(400);
    expect(unknown.body.error.details).toMatchObject([{ path: 'queue' }]);
  });

  it('lets members put a script into a queue, and only owners and admins take it out', async () => {
    const queue = await newQueue();
    const script = await long();
    const member = byToken(ws, await ws.person('member'));
    const path = `/v1/scripts/${script.slug}`;
    expect((await member.patch(path, { queue })).status).toBe(200);
    for (const to of [null, await newQueue()])
      expect((await member.patch(path, { queue: to })).status).toBe(403);
    expect((await member.patch(path, { description: 'Still theirs', queue })).status).toBe(200);
    expect((await owner.patch(path, { queue: null })).status).toBe(200);
  });

  it('knows no queue of another one', async () => {
    const other = await newWorkspace();
    const elsewhere = client({ token: other.owner.token, workspace: other.slug });
    const theirs = (await elsewhere.post(QUEUES, { name: newSlug() })).body.name as string;
    expect((await owner.get(`${QUEUES}/${theirs}`)).status).toBe(404);
    const script = await long();
    expect((await owner.patch(`/v1/scripts/${script.slug}`, { queue: theirs })).status).toBe(400);
  });
});
