import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { untilSomebodyWaitsFor } from '../support/locking.js';
import { type TestScript, finished, python, run, runUntil } from '../support/scripts.js';

/** Of these a workspace may have three where there are several: a run that is being cleared up still has one. */
const PLACES = 6;

let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let one: Client;
let ofSameOwner: Client;
let other: Client;

/** A workspace, and how its owner makes another one. */
async function newWorkspaces(): Promise<{ api: Client; another(): Promise<Client> }> {
  const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
  const clientOf = (workspace: string): Client =>
    createClient({ baseUrl: gatehouse.baseUrl, token: owner.token, workspace });
  return {
    api: clientOf(slug),
    another: async () => {
      const app = createClient({ baseUrl: gatehouse.baseUrl, cookie: owner.cookie });
      const made = await app.post('/v1/workspaces', { name: 'Another', slug: `${slug}-2` });
      expect(made.status, made.text).toBe(201);
      return clientOf(`${slug}-2`);
    },
  };
}

beforeAll(async () => {
  gatehouse = await startGatehouse({
    env: { GATEHOUSE_RUN_CONCURRENCY: String(PLACES), GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' },
  });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
  const first = await newWorkspaces();
  [one, ofSameOwner] = [first.api, await first.another()];
  other = (await newWorkspaces()).api;
});
afterAll(async () => {
  await pool.end();
  await gatehouse.stop();
});

/** A script whose version is unpacked on the worker. */
async function unpacked(api: Client, code: string): Promise<TestScript> {
  const script = await python(api, code);
  expect((await run(api, script)).body).toMatchObject({ status: 'succeeded' });
  return script;
}

/** It never waited in the queue. */
const beganAtOnce = (made: Json): boolean => made['executionStartedAt'] === made['startedAt'];

/** A run that began as it was written: none does while the worker looks whether something waits, as it does each second. */
async function begunAtOnce(start: () => Promise<Answer>): Promise<Answer> {
  let made: Answer;
  await expect.poll(async () => beganAtOnce((made = await start()).body)).toBe(true);
  return made!;
}

describe('a run that finds a free place', () => {
  it('begins as it is written', async () => {
    const script = await unpacked(one, 'print("done")');
    const { body } = await begunAtOnce(() => run(one, script));
    expect(body).toMatchObject({ status: 'succeeded', output: 'done', phase: 'finished' });
    expect((await one.get(`/v1/runs/${body.id}`)).body).toEqual({ ...body, approval: undefined });
  });

  it('does so with an Idempotency-Key, and once', async () => {
    const script = await unpacked(one, 'print("once")');
    let key = {};
    const first = await begunAtOnce(() => {
      key = { 'idempotency-key': randomUUID() };
      return run(one, script, {}, key);
    });
    const second = await run(one, script, {}, key);
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  it('is the first of its version, which is unpacked before', async () => {
    const script = await python(one, 'print("first")');
    const { body } = await run(one, script);
    expect(body).toMatchObject({ status: 'succeeded', output: 'first' });
    expect(beganAtOnce(body)).toBe(false);
  });

  it('tells of what it left in /outputs', async () => {
    const script = await unpacked(one, 'open("/outputs/a.txt", "w").write("kept")');
    const { body } = await run(one, script);
    expect(body.files).toMatchObject([{ name: 'a.txt' }]);
    // A link says in seconds until when it holds.
    const files = (body.files as Json[]).map((file) => ({ ...file, downloadUrl: expect.any(String) }));
    expect((await one.get(`/v1/runs/${body.id}`)).body.files).toEqual(files);
  });
});

describe('a run that the database is slow to write', () => {
  it('keeps one place, and holds no other run back', async () => {
    const slow = await unpacked(one, 'print("slow")');
    const script = await python(other, 'print("quick")');
    const connection = await pool.connect();
    try {
      await connection.query('BEGIN');
      await connection.query(
        `SELECT FROM usage_counters u JOIN runs r USING (workspace_id) WHERE r.script_slug = $1 FOR UPDATE OF u`,
        [slow.slug],
      );
      const waiting = run(one, slow);
      await untilSomebodyWaitsFor(connection);
      const { body } = await other.post(`/v1/scripts/${script.slug}/runs/batch`, { inputs: [{}] });
      const [runId] = body.runs as string[];
      await runUntil(other, runId!, ({ status }) => status === 'succeeded');
      await connection.query('COMMIT');
      expect((await waiting).body).toMatchObject({ status: 'succeeded', output: 'slow' });
    } finally {
      connection.release(true);
    }
  });
});

describe('the inputs of a run', () => {
  it('are its own alone, and are gone when it has ended', async () => {
    const code = 'import os; print(open(os.environ["GATEHOUSE_INPUTS"]).read())';
    const script = await python(one, code, {
      inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
    });
    for (const word of ['long'.repeat(30_000), 'secret', 'w']) {
      expect((await run(one, script, { word })).body).toMatchObject({ output: { word } });
    }
    const left = async (): Promise<string[]> => {
      const workers = join(gatehouse.dataDirectory, 'workers');
      const files = await readdir(workers, { recursive: true });
      const inputs = files.filter((name) => name.endsWith('/.inputs.json'));
      expect(inputs).not.toEqual([]);
      return Promise.all(inputs.map((name) => readFile(join(workers, name), 'utf8')));
    };
    await expect.poll(async () => (await left()).every((text) => text === '{}')).toBe(true);
  });
});

describe('a run whose workspace has its share', () => {
  it('waits, and that of another does not', async () => {
    const sleeper = await python(one, 'import time; time.sleep(60)', { timeout: 90 });
    const quick = await unpacked(other, 'print("quick")');
    const taken: Json[] = [];
    for (let place = 1; place < PLACES; place++) taken.push((await run(one, sleeper)).body);
    for (const { id } of taken) await runUntil(one, id, ({ phase }) => phase === 'executing');
    const waiting = (await run(one, sleeper)).body;
    expect(waiting).toMatchObject({ status: 'running', phase: 'queued', queuedBehind: 0 });

    const { body } = await run(other, quick);
    expect(body).toMatchObject({ status: 'succeeded', output: 'quick' });
    expect((await one.get(`/v1/runs/${waiting.id}`)).body.phase).toBe('queued');

    for (const { id } of [...taken, waiting]) await one.post(`/v1/runs/${id}/cancel`);
    for (const { id } of [...taken, waiting]) await runUntil(one, id, finished);
    await begunAtOnce(() => run(other, quick));
  });
});

describe('a run whose owner has their share by two workspaces', () => {
  it('waits, and that of another does not', async () => {
    const scripts = await Promise.all(
      [one, ofSameOwner].map((api) => python(api, 'import time; time.sleep(60)', { timeout: 90 })),
    );
    const quick = await unpacked(other, 'print("quick")');
    const taken: [Client, string][] = [];
    for (let place = 1; place < PLACES; place++) {
      const api = place % 2 === 0 ? ofSameOwner : one;
      const { id } = (await run(api, scripts[place % 2 === 0 ? 1 : 0]!)).body;
      taken.push([api, id as string]);
      await runUntil(api, id as string, ({ phase }) => phase === 'executing');
    }
    const waiting = (await run(ofSameOwner, scripts[1]!)).body;
    expect(waiting).toMatchObject({ status: 'running', phase: 'queued', queuedBehind: 0 });
    taken.push([ofSameOwner, waiting.id as string]);

    const { body } = await run(other, quick);
    expect(body).toMatchObject({ status: 'succeeded', output: 'quick' });
    expect((await ofSameOwner.get(`/v1/runs/${waiting.id}`)).body.phase).toBe('queued');

    for (const [api, id] of taken) await api.post(`/v1/runs/${id}/cancel`);
    for (const [api, id] of taken) await runUntil(api, id, finished);
  });
});
