import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve, deny, inApp } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { lockingBriefly } from '../support/locking.js';
import { finished, python, runUntil, type TestScript } from '../support/scripts.js';

const HOUR = 3_600_000;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

let ws: TestWorkspace;
let owner: Client;
let script: TestScript;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
  script = await python(owner, 'print("did it")');
});

const start = (body: object, of = script) => owner.post(`/v1/scripts/${of.slug}/runs`, body);

/** As if so much time had passed. */
const laterBy = (id: string, column: 'start_at' | 'expires_at' | 'next_attempt_at') =>
  database().query(`UPDATE runs SET ${column} = now() - interval '1 second' WHERE id = $1`, [id]);

async function typesOf(id: string): Promise<string[]> {
  const { rows } = await database().query(
    `SELECT type FROM events WHERE data->>'runId' = $1 AND type LIKE 'run.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ type }) => type as string);
}

const errorPaths = (body: Json): string[] =>
  (body as { error: { details: { path: string }[] } }).error.details.map(({ path }) => path);

describe('a run that starts later', () => {
  it('is not waited for, holds no place, says when, and begins at its time', async () => {
    const startAt = inMs(HOUR);
    const { status, body } = await start({ startAt, priority: 3 });
    const why = `It starts at ${startAt}.`;
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { status: 'running', phase: 'delayed', startAt, priority: 3, waitsBecause: why, endReason: null },
    });
    const { rows } = await database().query('SELECT worker_id, lease_until FROM runs WHERE id = $1', [
      body.id,
    ]);
    expect(rows).toEqual([{ worker_id: null, lease_until: null }]);
    await laterBy(body.id, 'start_at');
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ status: 'succeeded', output: 'did it' });
    expect(await typesOf(body.id)).toEqual(['run.started', 'run.succeeded']);
  });

  it('begins also while those that have expired cannot be ended', async () => {
    await lockingBriefly(`
      CREATE FUNCTION refuses_an_end() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'This run cannot be ended.'; END $$;
      CREATE TRIGGER refuses_an_end BEFORE UPDATE ON runs FOR EACH ROW
        WHEN (NEW.workspace_id = '${ws.id}' AND NEW.end_reason = 'expired') EXECUTE FUNCTION refuses_an_end()`);
    try {
      const { body: expiring } = await start({ startAt: inMs(HOUR), expiresAt: inMs(2 * HOUR) });
      await laterBy(expiring.id, 'expires_at');
      const { body } = await start({ startAt: inMs(HOUR) });
      await laterBy(body.id, 'start_at');
      expect((await runUntil(owner, body.id, finished)).status).toBe('succeeded');
      expect((await owner.get(`/v1/runs/${expiring.id}`)).body.phase).toBe('delayed');
    } finally {
      await lockingBriefly('DROP TRIGGER refuses_an_end ON runs; DROP FUNCTION refuses_an_end');
    }
  });

  it('begins also while one of another workspace cannot', async () => {
    const other = await newWorkspace();
    const stranger = client({ token: other.owner.token, workspace: other.slug });
    const theirs = await python(stranger, 'print(1)');
    const startAt = inMs(HOUR);
    const stuck = await stranger.post(`/v1/scripts/${theirs.slug}/runs`, { startAt });
    await lockingBriefly(`
      CREATE FUNCTION refuses_a_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'This run cannot begin.'; END $$;
      CREATE TRIGGER refuses_a_beginning BEFORE UPDATE OF phase ON runs FOR EACH ROW
        WHEN (NEW.workspace_id = '${other.id}' AND OLD.phase = 'delayed') EXECUTE FUNCTION refuses_a_beginning()`);
    try {
      await laterBy(stuck.body.id, 'start_at');
      const { body } = await start({ startAt });
      await laterBy(body.id, 'start_at');
      expect((await runUntil(owner, body.id, finished)).status).toBe('succeeded');
      expect((await stranger.get(`/v1/runs/${stuck.body.id}`)).body.phase).toBe('delayed');
    } finally {
      await lockingBriefly('DROP TRIGGER refuses_a_beginning ON runs; DROP FUNCTION refuses_a_beginning');
    }
    expect((await runUntil(stranger, stuck.body.id, finished)).status).toBe('succeeded');
  });

  it('starts at once where its time is over', async () => {
    expect(await start({ startAt: inMs(-HOUR) })).toMatchObject({
      status: 200,
      body: { status: 'succeeded', startAt: null },
    });
  });

  it('is cancelled at once', async () => {
    const { body } = await start({ startAt: inMs(HOUR) });
    expect(await owner.post(`/v1/runs/${body.id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', endReason: null, executionStartedAt: null },
    });
  });

  it('waits for its time once somebody has approved it', async () => {
    const held = await python(owner, 'print(1)');
    await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    const { body } = await start({ startAt: inMs(HOUR) }, held);
    expect(body).toMatchObject({ status: 'awaiting_approval', phase: 'held' });
    await approve(inApp(ws, ws.owner), body.approval.id as string);
    expect((await owner.get(`/v1/runs/${body.id}`)).body).toMatchObject({
      status: 'running',
      phase: 'delayed',
    });
    await laterBy(body.id, 'start_at');
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ status: 'succeeded' });
  });

  it('does not start any more where its script is archived by then', async () => {
    const doomed = await python(owner, 'print(1)');
    const { body } = await start({ startAt: inMs(HOUR) }, doomed);
    expect((await owner.delete(`/v1/scripts/${doomed.slug}`)).status).toBe(204);
    await laterBy(body.id, 'start_at');
    expect(await runUntil(owner, body.id, finished)).toMatchObject({
      status: 'cancelled',
      error: `it could not start: the script ${doomed.slug} is archived`,
    });
    expect(await typesOf(body.id)).toEqual(['run.started', 'run.cancelled']);
  });

  it('gives the same response to a repeated request', async () => {
    const headers = { 'idempotency-key': `later-${Date.now()}` };
    const body = { startAt: inMs(HOUR) };
    const [one, again] = [
      await owner.post(`/v1/scripts/${script.slug}/runs`, body, headers),
      await owner.post(`/v1/scripts/${script.slug}/runs`, body, headers),
    ];
    expect([again.status, again.body.id]).toEqual([202, one.body.id]);
  });
});

describe('a run that is moved', () => {
  const move = (id: string, startAt: unknown, by = owner) => by.patch(`/v1/runs/${id}`, { startAt });

  it('begins at its new time, which is told and recorded', async () => {
    const { body } = await start({ startAt: inMs(HOUR) });
    const startAt = inMs(2 * HOUR);
    expect(await move(body.id, startAt)).toMatchObject({ status: 200, body: { phase: 'delayed', startAt } });
    expect((await move(body.id, '0s')).status).toBe(200);
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ status: 'succeeded' });
    expect(await typesOf(body.id)).toEqual(['run.started', 'run.moved', 'run.moved', 'run.succeeded']);
    const trail = await owner.get('/v1/workspace/audit-events?action=run.moved&limit=2');
    expect(trail.body.items[1]).toMatchObject({ target: { id: body.id }, details: { startAt } });
    expect(await move(body.id, startAt)).toMatchObject({ status: 409 });
  });

  it('is one that waits for its time alone', async () => {
    const gathered = await python(owner, 'print(1)', { debounce: { wait: 3_600 } });
    const { body: waiting } = await start({}, gathered);
    expect((await move(waiting.id, '2h')).status).toBe(409);
    const held = await python(owner, 'print(1)');
    await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    const { body } = await start({ startAt: inMs(HOUR) }, held);
    expect((await move(body.id, '2h')).status).toBe(409);
    await approve(inApp(ws, ws.owner), body.approval.id as string);
    expect((await move(body.id, '2h')).status).toBe(409);
    for (const { id } of [body, waiting]) await owner.post(`/v1/runs/${id}/cancel`);
  });

  it('begins before it expires, and is there for nobody else', async () => {
    const { body } = await start({ startAt: inMs(HOUR), expiresAt: inMs(2 * HOUR) });
    for (const startAt of ['3h', '400d', 'tomorrow', null]) {
      const refused = await move(body.id, startAt);
      expect([refused.status, errorPaths(refused.body)]).toEqual([400, ['startAt']]);
    }
    const other = await newWorkspace();
    const stranger = client({ token: other.owner.token, workspace: other.slug });
    expect((await move(body.id, '90m', stranger)).status).toBe(404);
    await owner.post(`/v1/runs/${body.id}/cancel`);
  });
});

describe('a run whose time comes after a rule has become stricter', () => {
  const RETRIED = `import os, sys
if os.environ['GATEHOUSE_ATTEMPT'] == '1': sys.exit(75)
print('did it')
`;
  const ask = (slug: string) => owner.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'always' });
  const isHeld = ({ phase }: Json): boolean => phase === 'held';

  it('is held, and goes on once somebody has approved it', async () => {
    const mine = await python(owner, 'print("did it")');
    const { body } = await start({ startAt: inMs(HOUR) }, mine);
    await ask(mine.slug);
    await laterBy(body.id, 'start_at');
    const held = await runUntil(owner, body.id, isHeld);
    expect(held).toMatchObject({ status: 'awaiting_approval', executionStartedAt: null });
    expect((await approve(inApp(ws, ws.owner), held.approvalRequestId as string)).status).toBe(200);
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ status: 'succeeded', output: 'did it' });
  });

  it('is held where it waited for further starts, by the rule of its environment', async () => {
    const environment = 'stricter';
    await owner.post('/v1/workspace/environments', { name: environment });
    const there = client({ token: ws.owner.token, workspace: ws.slug, environment });
    const mine = await python(owner, 'print(1)', { debounce: { wait: 3_600 } });
    const { body } = await there.post(`/v1/scripts/${mine.slug}/runs`, {});
    expect(body).toMatchObject({ phase: 'delayed' });
    const changed = await inApp(ws, ws.owner).patch(`/v1/workspace/environments/${environment}`, {
      approvalPolicy: 'always',
    });
    expect(changed.status, changed.text).toBe(200);
    await laterBy(body.id, 'start_at');
    expect(await runUntil(there, body.id, isHeld)).toMatchObject({ status: 'awaiting_approval' });
  });

  it('is held before it is tried again', async () => {
    const mine = await python(owner, RETRIED, { retry: { attempts: 2, delay: 600, on: ['exit:75'] } });
    const { body } = await start({}, mine);
    await runUntil(owner, body.id, ({ phase }) => phase === 'retrying');
    await ask(mine.slug);
    await laterBy(body.id, 'next_attempt_at');
    const held = await runUntil(owner, body.id, isHeld);
    expect(held).toMatchObject({ status: 'awaiting_approval', attempt: 2, nextAttemptAt: null });
    await approve(inApp(ws, ws.owner), held.approvalRequestId as string);
    expect(await runUntil(owner, body.id, finished)).toMatchObject({
      status: 'succeeded',
      output: 'did it',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    });
  });

  it('ends with a denial, also between two attempts', async () => {
    const mine = await python(owner, RETRIED, { retry: { attempts: 2, delay: 600, on: ['exit:75'] } });
    const { body } = await start({}, mine);
    await runUntil(owner, body.id, ({ phase }) => phase === 'retrying');
    await ask(mine.slug);
    await laterBy(body.id, 'next_attempt_at');
    const { approvalRequestId } = await runUntil(owner, body.id, isHeld);
    await deny(inApp(ws, ws.owner), approvalRequestId as string);
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ status: 'cancelled' });
  });

  it('is not asked about twice', async () => {
    const mine = await python(owner, RETRIED, { retry: { attempts: 2, delay: 600, on: ['exit:75'] } });
    await ask(mine.slug);
    const { body } = await start({ startAt: inMs(HOUR) }, mine);
    await approve(inApp(ws, ws.owner), body.approval.id as string);
    await laterBy(body.id, 'start_at');
    await runUntil(owner, body.id, ({ phase }) => phase === 'retrying');
    await laterBy(body.id, 'next_attempt_at');
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  /** Asked for with a key that is revoked since. */

  const startedByRevokedKey = async (mine: TestScript, body: object): Promise<Json> => {
    const made = await inApp(ws, ws.owner).post('/v1/workspace/api-keys', {
      name: 'short-lived',
      environment: 'production',
    });
    expect(made.status, made.text).toBe(201);
    const byKey = client({ token: made.body.key as string });
    const started = await byKey.post(`/v1/scripts/${mine.slug}/runs`, body);
    expect((await inApp(ws, ws.owner).delete(`/v1/workspace/api-keys/${made.body.id}`)).status).toBe(204);
    return started.body;
  };
  it('does not begin where the key that it was started with is revoked', async () => {
    const { id } = await startedByRevokedKey(script, { startAt: inMs(HOUR) });
    await laterBy(id, 'start_at');
    expect(await runUntil(owner, id, finished)).toMatchObject({
      status: 'cancelled',
      logLines: 0,
      error: 'it could not start: the credential that it was started with is revoked',
    });
  });

  it('does not begin where that key is revoked before somebody approves it', async () => {
    const mine = await python(owner, 'print(1)');
    await ask(mine.slug);
    const { id, approval } = await startedByRevokedKey(mine, {});
    await approve(inApp(ws, ws.owner), approval.id as string);
    const error = expect.stringContaining('revoked') as string;
    expect(await runUntil(owner, id, finished)).toMatchObject({ status: 'cancelled', logLines: 0, error });
  });
});

describe('a run that expires', () => {
  it('is cancelled where it has not begun by then', async () => {
    const { body } = await start({ startAt: inMs(HOUR), expiresAt: inMs(2 * HOUR) });
    await laterBy(body.id, 'expires_at');
    expect(await runUntil(owner, body.id, finished)).toMatchObject({
      status: 'cancelled',
      endReason: 'expired',
      error: 'it had not begun by the time at which it expires',
      executionStartedAt: null,
    });
    expect(await typesOf(body.id)).toEqual(['run.started', 'run.cancelled']);
  });

  it('never begins although its time to start has come as well', async () => {
    const { body } = await start({ startAt: inMs(HOUR), expiresAt: inMs(2 * HOUR) });
    const past = `now() - interval '1 second'`;
    await database().query(`UPDATE runs SET start_at = ${past}, expires_at = ${past} WHERE id = $1`, [
      body.id,
    ]);
    expect(await runUntil(owner, body.id, finished)).toMatchObject({ endReason: 'expired', logLines: 0 });
  });

  it('is not begun by a worker that comes before the clock', async () => {
    const ids: string[] = [];
    for (let run = 0; run < 10; run++) ids.push((await start({ startAt: inMs(HOUR) })).body.id as string);
    await database().query(
      `UPDATE runs SET phase = 'queued', expires_at = now() - interval '1 second' WHERE id = ANY($1)`,
      [ids],
    );
    for (const id of ids) {
      expect(await runUntil(owner, id, finished)).toMatchObject({
        status: 'cancelled',
        endReason: 'expired',
        error: 'it had not begun by the time at which it expires',
        executionStartedAt: null,
        attempts: [],
      });
    }
  });

  it('is ended with the request that it is held for', async () => {
    const held = await python(owner, 'print(1)');
    await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    const { body } = await start({ expiresAt: inMs(HOUR) }, held);
    await laterBy(body.id, 'expires_at');
    expect(await runUntil(owner, body.id, finished)).toMatchObject({
      status: 'cancelled',
      endReason: 'expired',
    });
    const request = await owner.get(`/v1/workspace/approval-requests/${body.approval.id}`);
    expect(request.body, request.text).toMatchObject({ status: 'expired' });
  });

  it('goes on where it has begun', async () => {
    const slow = await python(owner, 'import time\ntime.sleep(60)', { timeout: 90 });
    const { body } = await start({ expiresAt: inMs(HOUR) }, slow);
    await runUntil(owner, body.id, ({ phase }) => phase === 'executing');
    await laterBy(body.id, 'expires_at');
    // Another one that expires has been looked at since.
    const other = await start({ startAt: inMs(HOUR), expiresAt: inMs(2 * HOUR) });
    await laterBy(other.body.id, 'expires_at');
    await runUntil(owner, other.body.id, finished);
    expect((await owner.get(`/v1/runs/${body.id}`)).body).toMatchObject({ phase: 'executing' });
    await owner.post(`/v1/runs/${body.id}/cancel`);
  });
});

it.each([
  [{ startAt: inMs(400 * 24 * HOUR) }, ['startAt']],
  [{ startAt: 'tomorrow' }, ['startAt']],
  [{ startAt: null }, ['startAt']],
  [{ expiresAt: inMs(-HOUR) }, ['expiresAt']],
  [{ startAt: inMs(2 * HOUR), expiresAt: inMs(HOUR) }, ['expiresAt']],
  [{ expiresAt: inMs(400 * 24 * HOUR) }, ['expiresAt']],
  [{ priority: 11 }, ['priority']],
  [{ priority: -11 }, ['priority']],
  [{ priority: 1.5 }, ['priority']],
])('refuses %j at its path', async (body, paths) => {
  const refused = await start(body);
  expect(refused.status, refused.text).toBe(400);
  expect(errorPaths(refused.body)).toEqual(paths);
});
