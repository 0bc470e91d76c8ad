import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { newTeam } from '../support/people.js';
import { leaveHeld } from '../support/triggers.js';
import { finished, python, run, runUntil, type TestScript } from '../support/scripts.js';

let ws: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
});

const later = (): string => new Date(Date.now() + 3_600_000).toISOString();
const cancelMany = (body: object, by = owner, headers: Record<string, string> = {}): Promise<Answer> =>
  by.post('/v1/runs/cancel', body, headers);
const rerunMany = (body: object, by = owner, headers: Record<string, string> = {}): Promise<Answer> =>
  by.post('/v1/runs/rerun', body, headers);

/** Runs that wait for their time, in the order in which they were asked for. */
async function delayed(script: TestScript, count: number): Promise<string[]> {
  const inputs = Array.from({ length: count }, () => ({}));
  const answer = await owner.post(`/v1/scripts/${script.slug}/runs/batch`, { inputs, startAt: later() });
  expect(answer.status, answer.text).toBe(202);
  return answer.body.runs as string[];
}

async function uploaded(): Promise<string> {
  const type = { 'content-type': 'text/plain' };
  return (await owner.post('/v1/files?name=given.txt', 'given', type)).body.id as string;
}

async function ended(id: string, by = owner): Promise<Json> {
  let operation: Json = {};
  await expect
    .poll(async () => {
      operation = (await by.get(`/v1/runs/operations/${id}`)).body;
      return operation.status;
    })
    .not.toBe('running');
  return operation;
}

async function begun(answer: Answer): Promise<string> {
  expect(answer.status, answer.text).toBe(202);
  return answer.body.id as string;
}

interface RunLock {
  release: () => Promise<unknown>;
  /** Until something waits for the run, or for what waits for it. */
  untilBlocking: (what: 'run' | 'waiter') => Promise<void>;
}

const WAITERS = `SELECT pid FROM pg_stat_activity WHERE $1::int = ANY(pg_blocking_pids(pid))`;
const BLOCKED = {
  run: WAITERS,
  waiter: `SELECT FROM pg_stat_activity WHERE pg_blocking_pids(pid) && ARRAY(${WAITERS})`,
};

/** Meanwhile, whatever changes the run waits. */
async function whileLocked(runId: string, work: (lock: RunLock) => Promise<void>): Promise<void> {
  const blocker = await database().connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [runId]);
    const { pid } = (await blocker.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!;
    await work({
      release: () => blocker.query('COMMIT'),
      untilBlocking: (what) =>
        expect.poll(async () => (await database().query(BLOCKED[what], [pid])).rowCount).toBeGreaterThan(0),
    });
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
}

const countOf = async (sql: string, ...parameters: unknown[]): Promise<number> =>
  (await database().query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`, parameters))
    .rows[0]!.count;

describe('Cancelling all runs that fit a filter', () => {
  it('is tried out first: it says how many fit, to its limit, and changes nothing', async () => {
    const script = await python(owner, 'print(1)');
    await delayed(script, 12);
    const dryRun = { script: script.slug, dryRun: true };
    const all = await cancelMany(dryRun);
    expect([all.status, all.body]).toEqual([200, { matched: 12, more: false }]);
    expect((await cancelMany({ ...dryRun, limit: 5 })).body).toEqual({ matched: 5, more: true });
    expect((await cancelMany({ ...dryRun, status: 'awaiting_approval' })).body.matched).toBe(0);
    expect(await countOf(`runs WHERE script_id = $1 AND phase = 'delayed'`, script.id)).toBe(12);
    expect(await countOf(`run_operations WHERE workspace_id = $1`, ws.id)).toBe(0);
  });

  it('cancels those that fitted when it was asked for, each with its event and entry', async () => {
    const script = await python(owner, 'print(1)');
    const ids = await delayed(script, 120);
    const id = await begun(await cancelMany({ script: script.slug }));
    const [latecomer] = await delayed(script, 1);
    const operation = await ended(id);
    expect(operation).toMatchObject({
      kind: 'cancel',
      status: 'completed',
      filter: { script: script.slug },
      matched: 120,
      more: false,
      done: 120,
      skipped: 0,
      failed: 0,
      leftOut: [],
      error: null,
      startedBy: { userId: ws.owner.id, credentialType: 'pat' },
    });
    expect(operation.finishedAt).not.toBeNull();
    expect((await owner.get(`/v1/runs/${latecomer}`)).body.phase).toBe('delayed');
    expect(await countOf(`runs WHERE id = ANY($1) AND status = 'cancelled'`, ids)).toBe(120);
    const audited = `audit_events WHERE target_id = ANY($1) AND action = 'run.cancelled' AND actor_user_id = $2`;
    expect(await countOf(audited, ids, ws.owner.id)).toBe(120);
    expect(await countOf(`events WHERE data ->> 'runId' = ANY($1) AND type = 'run.cancelled'`, ids)).toBe(
      120,
    );
    const { rows } = await database().query(
      'SELECT action, details FROM audit_events WHERE target_id = $1 AND workspace_id = $2',
      [id, ws.id],
    );
    const details = { kind: 'cancel', filter: { script: script.slug }, runs: 120 };
    expect(rows).toEqual([{ action: 'run_operation.started', details }]);
    const listed = (await owner.get('/v1/runs/operations?limit=1')).body.items as Json[];
    expect(listed).toMatchObject([{ id, done: 120 }]);
    expect(listed[0]).not.toHaveProperty('leftOut');
  });

  it('takes the newest where more fit than its limit', async () => {
    const script = await python(owner, 'print(1)');
    const ids = await delayed(script, 6);
    const operation = await ended(await begun(await cancelMany({ script: script.slug, limit: 4 })));
    expect(operation).toMatchObject({ matched: 4, more: true, done: 4 });
    const left = (await owner.get(`/v1/runs?script=${script.slug}&status=running`)).body.items as Json[];
    expect(left.map((one) => one.id)).toEqual([ids[1], ids[0]]);
  });

  it('ends a run that executes, and one that waits for a person with its request', async () => {
    const script = await python(owner, 'import time; time.sleep(600)', { timeout: 700 });
    const executing = (await run(owner, script)).body.id as string;
    await runUntil(owner, executing, ({ phase }) => phase === 'executing');
    await owner.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const held = (await run(owner, script)).body;
    expect(held.phase).toBe('held');
    const operation = await ended(await begun(await cancelMany({ script: script.slug })));
    expect(operation).toMatchObject({ matched: 2, done: 2 });
    expect((await runUntil(owner, executing, finished)).status).toBe('cancelled');
    const request = await owner.get(`/v1/workspace/approval-requests/${held.approvalRequestId}`);
    expect(request.body.status).toBe('expired');
  });

  it('is asked for once with an Idempotency-Key, and for nothing by nothing', async () => {
    const script = await python(owner, 'print(1)');
    await delayed(script, 3);
    const key = { 'idempotency-key': `cancel-${process.pid}` };
    const first = await cancelMany({ script: script.slug }, owner, key);
    const again = await cancelMany({ script: script.slug }, owner, key);
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    expect((await ended(first.body.id as string)).done).toBe(3);
    const none = await cancelMany({ script: script.slug });
    expect(none.body).toMatchObject({ status: 'completed', matched: 0 });
    expect(await countOf(`run_operations WHERE filter ->> 'script' = $1`, script.slug)).toBe(2);
  });

  it.each([
    [{}, 'all'],
    [{ dryRun: true }, 'all'],
    [{ all: false }, 'all'],
    [{ all: true, script: 'x' }, 'all'],
    [{ script: null }, 'script'],
    [{ script: '' }, 'script'],
    [{ script: 'x'.repeat(256) }, 'script'],
    [{ all: 'true' }, 'all'],
    [{ status: 'failed' }, 'status'],
    [{ since: 'yesterday' }, 'since'],
    [{ script: 'x', limit: 0 }, 'limit'],
    [{ script: 'x', limit: 10_001 }, 'limit'],
    [{ script: 'x', cursor: 'x' }, 'cursor'],
  ])('refuses %j', async (body, path) => {
    const { status, body: answer } = await cancelMany(body);
    const { details } = (answer as { error: { details: { path: string }[] } }).error;
    expect([status, details.map((detail) => detail.path)]).toEqual([400, [path]]);
  });

  it('is ended itself, and goes no further', async () => {
    const script = await python(owner, 'print(1)');
    const ids = await delayed(script, 120);
    await whileLocked(ids[60]!, async ({ release, untilBlocking }) => {
      const id = await begun(await cancelMany({ script: script.slug }));
      await expect.poll(async () => (await owner.get(`/v1/runs/operations/${id}`)).body.done).toBe(50);
      await untilBlocking('run');
      // It waits for the step that waits for the run.
      const cancelled = owner.post(`/v1/runs/operations/${id}/cancel`);
      await untilBlocking('waiter');
      await release();
      expect((await cancelled).body).toMatchObject({ status: 'cancelled', done: 100, matched: 120 });
      expect(await countOf(`runs WHERE id = ANY($1) AND phase = 'delayed'`, ids)).toBe(20);
      expect((await owner.post(`/v1/runs/operations/${id}/cancel`)).status).toBe(409);
    });
  });

  it('is refused while three go on in the workspace', async () => {
    const script = await python(owner, 'print(1)');
    const [first] = await delayed(script, 1);
    const going: string[] = [];
    await whileLocked(first!, async () => {
      for (let count = 0; count < 3; count++) {
        going.push(await begun(await cancelMany({ script: script.slug })));
      }
      const refused = await cancelMany({ script: script.slug });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    });
    const results = [];
    for (const id of going) results.push(await ended(id));
    expect(results.map(({ done }) => done).toSorted()).toEqual([0, 0, 1]);
    const late = results.find(({ done }) => done === 0)!;
    expect(late.leftOut).toEqual([{ runId: first, result: 'skipped', reason: 'It had ended already.' }]);
  });

  it('is refused while another one of the workspace is just being asked for', async () => {
    const other = await database().connect();
    try {
      await other.query('BEGIN');
      const name = `gatehouse run operations of ${ws.id}`;
      await other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
      const refused = await cancelMany({ script: 'none' });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    } finally {
      await other.query('COMMIT');
      other.release();
    }
    expect(await ended(await begun(await cancelMany({ script: 'none' })))).toMatchObject({ matched: 0 });
  });
});

describe('Running all runs again that fit a filter', () => {
  it('makes one run of each, in its own environment, which names it as its cause', async () => {
    await owner.post('/v1/workspace/environments', { name: 'staging' });
    const script = await python(owner, 'import sys; sys.exit(3)');
    const origins: string[] = [];
    for (let count = 0; count < 3; count++) origins.push((await run(owner, script)).body.id as string);
    const staging = client({
      token: ws.owner.token,
      workspace: ws.slug,
      headers: { 'x-environment': 'staging' },
    });
    origins.push((await run(staging, script)).body.id as string);
    const operation = await ended(await begun(await rerunMany({ script: script.slug, status: 'failed' })));
    expect(operation).toMatchObject({ kind: 'rerun', status: 'completed', matched: 4, done: 4 });
    for (const origin of origins) {
      const { items } = (await owner.get(`/v1/runs?causedBy=${origin}`)).body as { items: Json[] };
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ causedBy: { type: 'rerun', id: origin }, interface: 'api' });
      const at = origin === origins[3] ? 'staging' : 'production';
      const again = await runUntil(owner, items[0]!.id as string, finished);
      expect([again.environment, again.status]).toEqual([at, 'failed']);
      expect(await countOf(`audit_events WHERE action = 'run.started' AND target_id = $1`, again.id)).toBe(1);
    }
    expect(await countOf(`runs WHERE script_id = $1`, script.id)).toBe(8);
  });

  it('leaves out what a person would have to approve, and what may not run any more, and says why', async () => {
    const [held, archived, fine] = [
      await python(owner, 'print(1)'),
      await python(owner, 'print(1)'),
      await python(owner, 'print(1)'),
    ] as [TestScript, TestScript, TestScript];
    const person = await ws.person('member');
    const by = client({ token: person.token, workspace: ws.slug });
    const ids = [];
    for (const script of [held, archived, fine]) ids.push((await run(by, script)).body.id as string);
    await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    await owner.delete(`/v1/scripts/${archived.slug}`);
    const operation = await ended(await begun(await rerunMany({ startedBy: person.id })));
    expect(operation).toMatchObject({ status: 'completed', matched: 3, done: 1, skipped: 2 });
    expect(operation.leftOut).toMatchObject([
      {
        runId: ids[0],
        result: 'skipped',
        reason: expect.stringMatching(/approve.* Run it again by itself\.$/),
      },
      { runId: ids[1], result: 'skipped', reason: expect.stringContaining('is archived') },
    ]);
    expect(
      await countOf(`approval_requests WHERE run_id IN (SELECT id FROM runs WHERE cause_id = $1)`, ids[0]),
    ).toBe(0);
  });

  it('writes nothing of a run whose file is gone, and goes on with the others', async () => {
    const inputSchema = { type: 'object', properties: { file: { type: 'string', format: 'file' } } };
    const script = await python(owner, 'print(1)', { inputSchema });
    const lost = await uploaded();
    const [one, two] = [
      await run(owner, script, { file: lost }),
      await run(owner, script, { file: await uploaded() }),
    ];
    expect([one.body.status, two.body.status]).toEqual(['succeeded', 'succeeded']);
    await database().query('DELETE FROM files WHERE run_id = $1', [one.body.id]);
    const operation = await ended(await begun(await rerunMany({ script: script.slug })));
    expect(operation).toMatchObject({ status: 'completed', matched: 2, done: 1, skipped: 1 });
    expect(operation.leftOut).toMatchObject([
      { runId: one.body.id, reason: expect.stringContaining('inputs.file') },
    ]);
    expect(await countOf('runs WHERE script_id = $1', script.id)).toBe(3);
  });

  it('keeps to what may go on at once', async () => {
    const script = await python(owner, 'print(1)');
    await delayed(script, 30);
    await ended(await begun(await cancelMany({ script: script.slug })));
    await owner.post('/v1/workspace/queues', { name: 'stopped', paused: true });
    await owner.patch(`/v1/scripts/${script.slug}`, { queue: 'stopped' });
    const operation = await ended(await begun(await rerunMany({ script: script.slug })));
    expect(operation).toMatchObject({ matched: 30, done: 30 });
    expect(await countOf(`runs WHERE script_id = $1 AND phase = 'waiting'`, script.id)).toBe(30);
    await ended(await begun(await cancelMany({ script: script.slug })));
  });
});

describe('Where the workspace has no room for more runs', () => {
  it('none is asked for, and one that goes on waits until there is', async () => {
    const full = await newWorkspace();
    const by = client({ token: full.owner.token, workspace: full.slug });
    const script = await python(by, 'print(1)');
    const origin = (await run(by, script)).body.id as string;
    const id = await begun(await rerunMany({ script: 'none' }, by));
    await leaveHeld({ workspace: full, script, api: by }, 20_000);
    // What was counted last is good for a second.
    await expect.poll(async () => (await rerunMany({ script: 'none' }, by)).status).toBe(429);
    const refused = await rerunMany({ script: script.slug }, by);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    // As it would be had they come while it went on.
    await database().query(
      `UPDATE run_operations SET status = 'running', matched = 1, run_ids = ARRAY[$2], finished_at = NULL, due_at = now(),
         credential_hash = sha256($3::bytea) WHERE id = $1`,
      [id, origin, full.owner.token],
    );
    const read = async (): Promise<Json> => (await by.get(`/v1/runs/operations/${id}`)).body;
    await expect.poll(async () => (await read()).waitsBecause).toContain('20000 runs of the workspace');
    expect(await read()).toMatchObject({ status: 'running', done: 0, skipped: 0 });
    await database().query(`DELETE FROM runs WHERE script_id = $1 AND phase = 'held'`, [script.id]);
    await expect
      .poll(async () => {
        await database().query('UPDATE run_operations SET due_at = now() WHERE id = $1', [id]);
        return (await read()).status;
      })
      .toBe('completed');
    expect(await read()).toMatchObject({ done: 1, waitsBecause: null });
  });
});

describe('Who asked for it and loses what that took', () => {
  async function loses(take: (by: Client, person: Json) => Promise<unknown>): Promise<Json> {
    const script = await python(owner, 'print(1)');
    const ids = await delayed(script, 120);
    const person = await ws.person('member');
    const by = client({ token: person.token, workspace: ws.slug });
    let id = '';
    await whileLocked(ids[60]!, async ({ untilBlocking }) => {
      id = await begun(await cancelMany({ script: script.slug }, by));
      await expect.poll(async () => (await owner.get(`/v1/runs/operations/${id}`)).body.done).toBe(50);
      // The step that waits for the run has judged them already.
      await untilBlocking('run');
      await take(by, { ...person, script: script.slug });
    });
    return ended(id);
  }

  it('leaves the rest as it is, and the operation says so', async () => {
    const operation = await loses(async (_by, person) => {
      const { items } = (await owner.get('/v1/workspace/members?limit=100')).body as { items: Json[] };
      const { id } = items.find(({ userId }) => userId === person.id)!;
      expect((await owner.delete(`/v1/workspace/members/${id}`)).status).toBeLessThan(300);
    });
    expect(operation).toMatchObject({ status: 'failed', done: 100, matched: 120 });
    expect(operation.error).toMatch(/^(Who asked for this may not|The credential by which)/);
  });

  it('does not reach a script that was taken from them', async () => {
    const operation = await loses(async (_by, person) => {
      const team = await newTeam(ws, `Others ${person.script as string}`);
      const share = { access: 'teams', teamIds: [team.id] };
      expect((await owner.patch(`/v1/scripts/${person.script as string}`, share)).status).toBe(200);
    });
    expect(operation).toMatchObject({ status: 'completed', done: 100, skipped: 20 });
    expect((operation.leftOut as Json[])[0]!.reason).toContain('may not see it any more');
  });
});
