import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve, inApp } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, finished, newSlug, python, run, runUntil, type TestScript } from '../support/scripts.js';

/** Goes on until somebody cancels it. */
const FOREVER = 'import time\ntime.sleep(600)';
const SCHEMA = { type: 'object', properties: { customer: {}, long: {}, fail: { type: 'boolean' } } };

let ws: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
});

const limited = (concurrency: object, code = FOREVER, fields: object = {}): Promise<TestScript> =>
  python(owner, code, { concurrency, timeout: 700, inputSchema: SCHEMA, ...fields });

const started = async (script: TestScript, inputs: Record<string, unknown> = {}): Promise<string> => {
  const { status, body, text } = await run(owner, script, inputs);
  expect(status, text).toBeLessThan(300);
  return body.id as string;
};
const inPhase = (id: string, phase: string): Promise<Json> =>
  runUntil(owner, id, (row) => (row as { phase: string }).phase === phase);
const cancel = async (...ids: string[]): Promise<void> => {
  for (const id of ids) await owner.post(`/v1/runs/${id}/cancel`);
  for (const id of ids) await runUntil(owner, id, finished);
};

async function typesOf(id: string): Promise<string[]> {
  const { rows } = await database().query(
    `SELECT type FROM events WHERE data->>'runId' = $1 AND type LIKE 'run.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ type }) => type as string);
}

describe('runs that share a number of places', () => {
  it('wait for their turn, say why, and take a place that becomes free', async () => {
    const script = await limited({ limit: 1, key: '{customer}' });
    const first = await started(script, { customer: 'acme' });
    const second = await started(script, { customer: 'acme' });
    const third = await started(script, { customer: 'acme' });
    const other = await started(script, { customer: 'umbrella' });
    await inPhase(first, 'executing');
    await inPhase(other, 'executing');
    expect(await inPhase(third, 'waiting')).toMatchObject({
      status: 'running',
      concurrencyKey: 'acme',
      queuedBehind: 1,
      waitsBecause:
        'It waits for its turn: 1 of 1 runs of “acme” that may go on at once do, and 1 run goes before it.',
    });
    expect((await inPhase(second, 'waiting')).waitsBecause).toContain('and it is the next.');
    await cancel(first);
    await inPhase(second, 'executing');
    expect((await owner.get(`/v1/runs/${third}`)).body.phase).toBe('waiting');
    // One that waits is cancelled at once.
    expect(await owner.post(`/v1/runs/${third}/cancel`)).toMatchObject({ status: 200 });
    expect(await typesOf(third)).toEqual(['run.started', 'run.cancelled']);
    await cancel(second, other);
  });

  it('share them with all of the script where there is no key, but not with another environment', async () => {
    const script = await limited({ limit: 1 });
    const first = await started(script);
    await inPhase(first, 'executing');
    const second = await started(script, { customer: 'acme' });
    expect((await inPhase(second, 'waiting')).waitsBecause).toContain('1 of 1 runs of the script');
    await owner.post('/v1/workspace/environments', { name: 'staging' });
    const elsewhere = await run(owner, script, {}, { 'x-environment': 'staging' });
    await inPhase(elsewhere.body.id as string, 'executing');
    await cancel(first, second, elsewhere.body.id as string);
  });

  it('make the same key of the same inputs, however large they are', async () => {
    const script = await limited({ limit: 1, key: 'of {customer}, {long}' });
    const keyOf = async (inputs: Record<string, unknown>): Promise<string> => {
      const id = await started(script, inputs);
      const { body } = await owner.get(`/v1/runs/${id}`);
      await cancel(id);
      return body.concurrencyKey as string;
    };
    expect(await keyOf({ customer: 'a/b"c' })).toBe('of a/b"c, ');
    expect(await keyOf({ customer: 7, long: { a: [1, true] } })).toBe('of 7, {"a":[1,true]}');
    const long = 'x'.repeat(100_000);
    const digest = await keyOf({ long });
    expect(digest).toMatch(/^of , [0-9a-f]{64}$/);
    expect(await keyOf({ long })).toBe(digest);
    expect(await keyOf({ long: `${long}y` })).not.toBe(digest);
  });

  it('go by their priority, also where the limit is above one', async () => {
    const script = await limited({ limit: 2 });
    const going = [await started(script), await started(script)];
    for (const id of going) await inPhase(id, 'executing');
    const low = await started(script);
    const { body } = await owner.post(`/v1/scripts/${script.slug}/runs`, { priority: 5 });
    const high = body.id as string;
    expect(await inPhase(high, 'waiting')).toMatchObject({ queuedBehind: 0 });
    expect(await inPhase(low, 'waiting')).toMatchObject({ queuedBehind: 1 });
    await cancel(going[0]!);
    await inPhase(high, 'executing');
    expect((await owner.get(`/v1/runs/${low}`)).body.phase).toBe('waiting');
    await cancel(low, going[1]!, high);
  });

  it('are given no place while they wait for their next attempt', async () => {
    const code = 'import sys, os\nif os.environ["GATEHOUSE_ATTEMPT"] == "1": sys.exit(75)\n';
    const retry = { attempts: 2, delay: 3600, on: ['exit:75'] };
    const script = await limited({ limit: 1 }, code, { retry });
    const first = await started(script);
    await inPhase(first, 'retrying');
    const second = await started(script);
    await inPhase(second, 'retrying');
    await database().query(`UPDATE runs SET next_attempt_at = now() WHERE id = ANY($1)`, [[first, second]]);
    for (const id of [first, second])
      expect(await runUntil(owner, id, finished)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  it('take their turn after their approval, and after their time', async () => {
    const script = await limited({ limit: 1 });
    const first = await started(script);
    await inPhase(first, 'executing');
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = (await owner.post(`/v1/scripts/${script.slug}/runs`, { startAt })).body.id as string;
    await owner.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const held = (await run(owner, script)).body;
    await approve(inApp(ws, ws.owner), held.approval.id as string);
    await inPhase(held.id as string, 'waiting');
    await owner.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'none' });
    await database().query(`UPDATE runs SET start_at = now() WHERE id = $1`, [later]);
    await inPhase(later, 'waiting');
    await cancel(first);
    await inPhase(later, 'executing');
    await cancel(later, held.id as string);
  });
});

describe('a run for which no place is free', () => {
  it('is skipped where its version says so', async () => {
    const script = await limited({ limit: 1, key: '{customer}', onLimit: 'skip' });
    const first = await started(script, { customer: 'acme' });
    await inPhase(first, 'executing');
    const second = await started(script, { customer: 'acme' });
    expect(await runUntil(owner, second, finished)).toMatchObject({
      status: 'cancelled',
      endReason: 'skipped',
      error: 'as many runs of its key went on as may at once',
      executionStartedAt: null,
    });
    expect(await typesOf(second)).toEqual(['run.started', 'run.cancelled']);
    await cancel(first);
    const third = await started(script, { customer: 'acme' });
    await inPhase(third, 'executing');
    await cancel(third);
  });

  it('is answered as skipped, also where several come at once', async () => {
    const script = await limited({ limit: 1, onLimit: 'skip' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => run(owner, script, {})));
    const skipped = answers.filter(({ body }) => body.endReason === 'skipped');
    expect(skipped.map(({ status, body }) => [status, body.status])).toEqual(
      Array.from({ length: 4 }, () => [200, 'cancelled']),
    );
    const begun = answers.find(({ body }) => body.endReason === null)!;
    await cancel(begun.body.id as string);
  });

  it('takes the place of the oldest where its version says so', async () => {
    const script = await limited({ limit: 1, onLimit: 'replace' });
    const first = await started(script);
    await inPhase(first, 'executing');
    const second = await started(script);
    const third = await started(script);
    for (const id of [first, second]) {
      expect(await runUntil(owner, id, finished)).toMatchObject({
        status: 'cancelled',
        endReason: 'replaced',
        error: 'a newer run of its key took its place',
      });
    }
    await inPhase(third, 'executing');
    await cancel(third);
  });
});

it('refuses a version that names no such places, at the path', async () => {
  const slug = newSlug();
  await owner.post('/v1/scripts', { slug, name: slug });
  const archive = await archiveOf({ 'main.py': 'print(1)' });
  const refused = await owner.post(`/v1/scripts/${slug}/versions`, {
    archive,
    inputSchema: SCHEMA,
    concurrency: { limit: 0, key: '{town}', onLimit: 'drop', more: 1 },
  });
  expect(refused.status, refused.text).toBe(400);
  const { details } = (refused.body as { error: { details: { path: string }[] } }).error;
  expect(details.map(({ path }) => path)).toEqual([
    'concurrency.more',
    'concurrency.limit',
    'concurrency.onLimit',
    'concurrency.key',
  ]);
});
