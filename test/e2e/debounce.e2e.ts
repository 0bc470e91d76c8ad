import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve, auditOf, byAgent, byToken, inApp } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { hook, newHookWorld, sendSigned } from '../support/hooks.js';
import {
  archiveOf,
  finished,
  newSlug,
  newVersion,
  python,
  run,
  runUntil,
  type TestScript,
} from '../support/scripts.js';
import { trigger } from '../support/triggers.js';

const CODE = 'import json, os\nprint(open(os.environ["GATEHOUSE_INPUTS"]).read())';
const SCHEMA = {
  type: 'object',
  properties: { customer: {}, nth: {}, file: { type: 'string', format: 'file' } },
};
const HOUR = { wait: 3_600, key: '{customer}' };

let ws: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
});

const debounced = (debounce: object = HOUR, fields: object = {}, api = owner): Promise<TestScript> =>
  python(api, CODE, { command: 'python3 main.py', debounce, inputSchema: SCHEMA, ...fields });

const started = async (
  script: TestScript,
  inputs: object = {},
  more: object = {},
  api = owner,
): Promise<Json> => {
  const { status, body, text } = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs, ...more });
  expect(status, text).toBe(202);
  return body;
};

/** As if the runs had waited for long enough. */
const due = (...ids: unknown[]) =>
  database().query(`UPDATE runs SET start_at = now() WHERE id = ANY($1)`, [ids]);

async function eventsOf(id: unknown): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    `SELECT type, data FROM events WHERE data->>'runId' = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

const countOf = async (script: TestScript): Promise<number> => {
  const { rows } = await database().query<{ n: number }>(
    'SELECT count(*)::int AS n FROM runs WHERE script_id = $1',
    [script.id],
  );
  return rows[0]!.n;
};

const secondsBetween = (from: unknown, to: unknown): number =>
  (Date.parse(to as string) - Date.parse(from as string)) / 1_000;

describe('a start of a script with `debounce`', () => {
  it('waits, and is taken the place of by a further one: the same run, with other inputs and later', async () => {
    const script = await debounced();
    const first = await started(script, { customer: 'acme', nth: 1 });
    expect(first).toMatchObject({
      status: 'running',
      phase: 'delayed',
      debounce: { key: 'acme', starts: 1 },
    });
    const { debounce, startAt } = first as { debounce: { until: string }; startAt: string };
    expect(secondsBetween(startAt, debounce.until)).toBe(9 * 3_600);
    expect(first.waitsBecause).toBe(
      `It starts at ${startAt}, unless “acme” is started again before; then later, by ${debounce.until} at the latest.`,
    );
    const second = await started(script, { customer: 'acme', nth: 2 });
    expect(second).toMatchObject({
      id: first.id,
      inputs: { customer: 'acme', nth: 2 },
      startedAt: first.startedAt,
      debounce: { key: 'acme', starts: 2, until: debounce.until },
    });
    expect(secondsBetween(startAt, second.startAt)).toBeGreaterThan(0);
    const other = await started(script, { customer: 'other', nth: 3 });
    expect(other.id).not.toBe(first.id);
    const events = await eventsOf(first.id);
    expect(events.map(({ type }) => type)).toEqual(['run.started', 'run.debounced']);
    expect(events[1]!.data).toMatchObject({ starts: 2, startAt: second.startAt, status: 'running' });
    expect(await auditOf(first.id as string)).toEqual(['run.started', 'run.started']);
    await due(first.id);
    const ended = await runUntil(owner, first.id as string, finished);
    expect(ended).toMatchObject({ status: 'succeeded', inputs: { customer: 'acme', nth: 2 } });
    const next = await started(script, { customer: 'acme', nth: 4 });
    expect(next.id).not.toBe(first.id);
    expect(next).toMatchObject({ debounce: { starts: 1 } });
  });

  it('begins by itself when nothing follows, within `maxWait` although something does', async () => {
    const script = await debounced({ wait: 2, maxWait: 3 });
    const alone = await started(script, { nth: 0 });
    expect(alone).toMatchObject({ debounce: { key: '', starts: 1 } });
    expect(alone.waitsBecause).toContain('unless the script is started again before');
    const ids = new Set([alone.id]);
    let nth = 0;
    await expect
      .poll(async () => {
        ids.add((await started(script, { nth: ++nth })).id);
        return ids.size;
      })
      .toBeGreaterThan(1);
    const ended = await runUntil(owner, alone.id as string, finished);
    const { until, starts } = ended.debounce as { until: string; starts: number };
    expect(secondsBetween(ended.startAt, until)).toBeGreaterThanOrEqual(0);
    expect(starts).toBe(nth);
  });

  it('waits no longer than `maxWait`, whatever follows', async () => {
    const script = await debounced({ wait: 60, maxWait: 60 });
    const first = await started(script);
    const second = await started(script);
    expect([second.id, second.startAt]).toEqual([first.id, first.startAt]);
  });

  it('counts for its version, person, priority and times with the newest', async () => {
    const script = await debounced();
    const expiresAt = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const first = await started(script, { customer: 1 }, { priority: 5, expiresAt, retry: { attempts: 3 } });
    expect(first).toMatchObject({ priority: 5, expiresAt, version: 1 });
    await newVersion(
      owner,
      script.slug,
      { 'main.py': CODE },
      { debounce: { ...HOUR, wait: 60 }, inputSchema: SCHEMA },
    );
    expect((await owner.post(`/v1/scripts/${script.slug}/publish`, { version: 2 })).status).toBe(200);
    const member = await ws.person('member');
    const second = await started(script, { customer: 1 }, { via: 'cli' }, byToken(ws, member));
    expect(second).toMatchObject({
      id: first.id,
      version: 2,
      priority: 0,
      expiresAt: null,
      interface: 'cli',
      startedBy: { userId: member.id, credentialType: 'pat' },
    });
    expect(secondsBetween(first.startAt, second.startAt)).toBeLessThan(0);
    const { rows } = await database().query('SELECT retry FROM runs WHERE id = $1', [first.id]);
    expect(rows).toEqual([{ retry: null }]);
  });

  it('is refused where it would expire while it waits', async () => {
    const script = await debounced();
    const answer = await owner.post(`/v1/scripts/${script.slug}/runs`, {
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { details: [{ path: 'expiresAt' }] } });
    expect(await countOf(script)).toBe(0);
  });

  it('goes on to its turn where it has `concurrency` as well', async () => {
    const script = await debounced({ wait: 3_600 }, { concurrency: { limit: 1, key: '{customer}' } });
    const first = await started(script, { customer: 'a' });
    const second = await started(script, { customer: 'b' });
    expect([first.id, first.concurrencyKey, second.concurrencyKey]).toEqual([second.id, 'a', 'b']);
    await due(first.id);
    expect(await runUntil(owner, first.id as string, finished)).toMatchObject({ status: 'succeeded' });
  });

  it('is one start for a request that is sent twice, and can be cancelled', async () => {
    const script = await debounced();
    const headers = { 'idempotency-key': `debounced-${script.slug}` };
    const one = await run(owner, script, { customer: 1 }, headers);
    const again = await run(owner, script, { customer: 1 }, headers);
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ id: one.body.id, debounce: { starts: 1 } });
    const second = await run(owner, script, { customer: 1 }, { 'idempotency-key': `second-${script.slug}` });
    expect(second.body).toMatchObject({ id: one.body.id, debounce: { starts: 2 } });
    const cancelled = await owner.post(`/v1/runs/${one.body.id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    const next = await started(script, { customer: 1 });
    expect(next.id).not.toBe(one.body.id);
  });

  it('is one run for the plan and the statistics, however many starts it stands for', async () => {
    const other = await newWorkspace();
    const api = client({ token: other.owner.token, workspace: other.slug });
    const script = await debounced(HOUR, {}, api);
    for (let nth = 0; nth < 3; nth++) await started(script, { customer: 1, nth }, {}, api);
    const { meters } = (await api.get('/v1/workspace/usage')).body as { meters: Json[] };
    expect(meters.find(({ id }) => id === 'runs')).toMatchObject({ used: 1 });
    const { rows } = await database().query(
      'SELECT sum(runs)::int AS runs FROM script_activity WHERE script_id = $1',
      [script.id],
    );
    expect(rows).toEqual([{ runs: 1 }]);
  });

  it('has the files of the newest, and leaves those of before to who gave them', async () => {
    const script = await debounced();
    const upload = async (name: string): Promise<string> => {
      const answer = await owner.post(`/v1/files?name=${name}`, Buffer.from(name), {
        'content-type': 'text/plain',
      });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.id as string;
    };
    const [old, kept] = [await upload('old.txt'), await upload('kept.txt')];
    const first = await started(script, { customer: 'f', file: old });
    expect(first.files).toMatchObject([{ id: old }]);
    const second = await started(script, { customer: 'f', file: kept });
    expect(second.id).toBe(first.id);
    expect(second.files).toMatchObject([{ id: kept }]);
    const third = await started(script, { customer: 'f', file: kept });
    expect(third.files).toMatchObject([{ id: kept }]);
    expect((await owner.get(`/v1/files/${old}`)).status).toBe(200);
  });
});

describe('what wants a run of its own', () => {
  it('a start that names its moment, a test, a run again, and each of a batch', async () => {
    const script = await debounced({ wait: 3_600 });
    const waiting = await started(script, { nth: 1 });
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = await started(script, { nth: 2 }, { startAt });
    expect(later).toMatchObject({ startAt, debounce: null });
    const test = await owner.post(`/v1/scripts/${script.slug}/versions/1/runs`, { inputs: { nth: 3 } });
    expect(test.body).toMatchObject({ status: 'succeeded', debounce: null });
    const again = await owner.post(`/v1/runs/${test.body.id}/rerun`);
    expect(again.body).toMatchObject({ status: 'succeeded', debounce: null });
    const ofWaiting = await owner.post(`/v1/runs/${waiting.id}/rerun`);
    expect(ofWaiting.body).toMatchObject({ status: 'succeeded', debounce: null });
    const batch = await owner.post(`/v1/scripts/${script.slug}/runs/batch`, { inputs: [{}, {}] });
    expect(batch.body.runs).toHaveLength(2);
    expect((await owner.get(`/v1/runs/${waiting.id}`)).body).toMatchObject({
      phase: 'delayed',
      inputs: { nth: 1 },
      debounce: { starts: 1 },
    });
  });

  it('a start that a person has to approve: what is agreed to stays as it is, and begins at once then', async () => {
    const script = await debounced({ wait: 3_600 });
    const app = inApp(ws, ws.owner);
    expect((await app.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'agents' })).status).toBe(200);
    const agent = await byAgent(ws, ws.owner);
    const waiting = await started(script, { nth: 1 });
    const held = await started(script, { nth: 2 }, {}, agent);
    expect(held).toMatchObject({ status: 'awaiting_approval', debounce: null });
    const after = await started(script, { nth: 3 });
    expect(after).toMatchObject({ id: waiting.id, inputs: { nth: 3 }, debounce: { starts: 2 } });
    expect((await approve(app, held.approvalRequestId as string)).status).toBe(200);
    expect(await runUntil(owner, held.id as string, finished)).toMatchObject({ inputs: { nth: 2 } });
  });
});

describe('starts that nobody asks for', () => {
  it('of a hook are one run, named by the receipt of each', async () => {
    const world = await newHookWorld();
    const script = await debounced(HOUR, {}, world.api);
    const made = await hook(world.api, script, {
      inputs: { customer: '{{request.body.customer}}', nth: '{{request.body.nth}}' },
    });
    const receipts: string[] = [];
    for (let nth = 1; nth <= 3; nth++) {
      const { status, body } = await sendSigned(made, { customer: 'acme', nth });
      expect(status).toBe(202);
      receipts.push(body.id as string);
    }
    const runs = await Promise.all(
      receipts.map(async (id) => (await world.api.get(`/v1/hooks/${made.id}/receipts/${id}`)).body.runId),
    );
    expect(new Set(runs).size).toBe(1);
    expect((await world.api.get(`/v1/runs/${runs[0] as string}`)).body).toMatchObject({
      phase: 'delayed',
      hookId: made.id,
      inputs: { customer: 'acme', nth: 3 },
      debounce: { starts: 3 },
    });
    expect(await auditOf(runs[0] as string)).toEqual(['run.started', 'run.started', 'run.started']);
    // A person's start takes the place of a hook's.
    const { body } = await world.api.post(`/v1/scripts/${script.slug}/runs`, {
      inputs: { customer: 'acme' },
    });
    expect(body).toMatchObject({ id: runs[0], hookId: null, interface: 'api', debounce: { starts: 4 } });
  });

  it('of a hook that come at once are one run, whose starts are all counted', async () => {
    const world = await newHookWorld();
    const script = await debounced({ wait: 3_600 }, {}, world.api);
    const made = await hook(world.api, script, { inputs: { nth: '{{request.body.nth}}' } });
    const sent = await Promise.all(Array.from({ length: 20 }, (_, nth) => sendSigned(made, { nth })));
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 202));
    const { body } = await world.api.get(`/v1/runs?script=${script.slug}`);
    expect(body.items).toMatchObject([{ debounce: { starts: 20 } }]);
  });

  it('of a trigger are one run, and its sender of a response does not wait', async () => {
    const world = await newHookWorld();
    const script = await debounced({ wait: 3_600 }, {}, world.api);
    const failing = await python(world.api, 'raise SystemExit(1)');
    await trigger(world.api, script, { filter: { 'script.slug': failing.slug } });
    for (let nth = 1; nth <= 2; nth++) await run(world.api, failing);
    const listed = async () => (await world.api.get(`/v1/runs?script=${script.slug}`)).body.items as Json[];
    await expect.poll(listed).toMatchObject([{ interface: 'trigger', debounce: { starts: 2 } }]);
    const responding = await hook(world.api, script, { respond: true });
    expect((await sendSigned(responding, {})).status).toBe(202);
  });
});

describe('a version with `debounce`', () => {
  it('shows it, with its defaults', async () => {
    const script = await debounced({ wait: 5 });
    const { body } = await owner.get(`/v1/scripts/${script.slug}/versions/1`);
    expect(body.debounce).toEqual({ key: null, wait: 5, maxWait: 50 });
  });

  it('is refused where it is not as it should be, at the path', async () => {
    const slug = newSlug();
    await owner.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.py': 'print(1)' });
    const debounce = { wait: 0, maxWait: 'long', key: '{town}', leading: true };
    const refused = await owner.post(`/v1/scripts/${slug}/versions`, {
      archive,
      inputSchema: SCHEMA,
      debounce,
    });
    expect(refused.status, refused.text).toBe(400);
    const { details } = (refused.body as { error: { details: { path: string }[] } }).error;
    expect(details.map(({ path }) => path)).toEqual(['debounce.leading', 'debounce.wait', 'debounce.key']);
  });
});
