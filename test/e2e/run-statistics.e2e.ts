import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { byToken, inApp } from '../support/people.js';
import { finished, newVersion, python, run, runUntil, type TestScript } from '../support/scripts.js';

const STATISTICS = '/v1/runs/statistics';
const EITHER = `import json, os, sys, time
inputs = json.load(open(os.environ['GATEHOUSE_INPUTS']))
if inputs.get('wait'): time.sleep(60)
sys.exit(3 if inputs.get('fail') else 0)`;
const INPUTS = { inputSchema: { type: 'object', properties: { fail: {}, wait: {} } }, timeout: 120 };

let workspace: TestWorkspace;
let api: Client;
let script: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = byToken(workspace.owner, workspace);
  script = await python(api, EITHER, INPUTS);
  await ran(script);
  await ran(script, { fail: true });
  const { body } = await run(api, script, { wait: true });
  await runUntil(api, body.id as string, ({ phase }: Json) => phase === 'executing');
  await api.post(`/v1/runs/${body.id}/cancel`);
  await runUntil(api, body.id as string, finished);
  await newVersion(api, script.slug, { 'main.py': EITHER }, INPUTS);
  const tried = await api.post(`/v1/scripts/${script.slug}/versions/2/runs`, { inputs: { fail: true } });
  await runUntil(api, tried.body.id as string, finished);
  await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
  await ran(script);
  await ran(await python(api, EITHER, INPUTS));
});
beforeEach(async () => {
  await expect
    .poll(async () => {
      const { succeeded, failed, other } = (await read()).totals;
      return [succeeded, failed, other] as number[];
    })
    .toEqual([3, 1, 1]);
});

const ran = async (of: TestScript, inputs: Record<string, unknown> = {}): Promise<void> => {
  const { body, status, text } = await run(api, of, inputs);
  expect(status, text).toBeLessThan(300);
  await runUntil(api, body.id as string, finished);
};
const read = async (query = ''): Promise<Json> => {
  const { status, body, text } = await api.get(`${STATISTICS}${query}`);
  expect(status, text).toBe(200);
  return body;
};

describe('statistics of runs', () => {
  it('have a bucket for each of the last days, and the totals', async () => {
    const { by, buckets, totals, versions, from, until } = await read();
    expect([by, buckets.length, versions]).toEqual(['day', 31, []]);
    expect([from, until]).toEqual([
      buckets[0].at,
      new Date(Date.parse(buckets.at(-1).at as string) + 86_400_000).toISOString(),
    ]);
    expect(totals).toEqual({
      succeeded: 3,
      failed: 1,
      other: 1,
      successRate: 0.75,
      durationSeconds: { p50: expect.any(Number) as number, p95: expect.any(Number) as number },
      waitingSeconds: { p50: expect.any(Number) as number, p95: expect.any(Number) as number },
    });
    expect(buckets[0]).toEqual({
      at: from,
      succeeded: 0,
      failed: 0,
      other: 0,
      successRate: null,
      durationSeconds: { p50: null, p95: null },
      waitingSeconds: { p50: null, p95: null },
    });
    const sum = (buckets as Json[]).reduce((count, { succeeded }) => count + (succeeded as number), 0);
    expect(sum).toBe(3);
  });

  it('are narrowed to a script, by version, and to an environment', async () => {
    const { totals, versions } = await read(`?by=hour&script=${script.slug}`);
    expect(totals).toMatchObject({ succeeded: 2, failed: 1, other: 1 });
    expect(versions).toMatchObject([
      { version: 2, succeeded: 1, failed: 0, successRate: 1 },
      { version: 1, succeeded: 1, failed: 1, other: 1, successRate: 0.5 },
    ]);
    expect((await read(`?script=${script.slug}&version=2`)).totals).toMatchObject({
      succeeded: 1,
      failed: 0,
    });
    expect((await read('?environment=production')).totals).toMatchObject({ succeeded: 3 });
    expect((await read('?environment=nowhere')).totals).toMatchObject({ succeeded: 0 });
    expect((await read('?script=nothing')).versions).toEqual([]);
    expect((await read('?since=2020-01-01T00:00:00Z&until=2020-01-03T00:00:00Z')).buckets).toHaveLength(2);
  });

  it('say what 50 and 95 % of the runs took', async () => {
    const other = await newWorkspace();
    const theirs = byToken(other.owner, other);
    const measured = await python(theirs, 'pass');
    const { body } = await run(theirs, measured);
    await runUntil(theirs, body.id as string, finished);
    const at = '2026-01-31T12:00:00Z';
    await database().query(
      `WITH made AS (
         INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase,
           inputs, by_agent, interface, test, started_at, execution_started_at, finished_at, duration_ms)
         SELECT left(r.id, 22) || to_char(n, 'FM00000000'), r.workspace_id, r.environment_id, r.script_id,
           r.script_slug, r.version_id, r.version, r.status, r.phase, r.inputs, r.by_agent, r.interface, r.test,
           $2::timestamptz, $2::timestamptz + n * interval '10 ms', $2::timestamptz + n * interval '1 second', n * 1000
         FROM runs r, generate_series(1, 100) n WHERE r.id = $1 RETURNING id)
       INSERT INTO events (id, workspace_id, environment_id, type, data, created_at)
       SELECT 'evt' || substr(made.id, 4), e.workspace_id, e.environment_id, e.type,
         e.data || jsonb_build_object('runId', made.id), $2::timestamptz
       FROM made, events e WHERE e.type = 'run.succeeded' AND e.data ->> 'runId' = $1`,
      [body.id, at],
    );
    const query = `${STATISTICS}?by=hour&since=${at}&until=2026-01-31T13:00:00Z`;
    await expect.poll(async () => (await theirs.get(query)).body.totals.succeeded as number).toBe(100);
    const { buckets } = (await theirs.get(query)).body;
    expect(buckets).toHaveLength(1);
    const [{ durationSeconds, waitingSeconds }] = buckets as [Json];
    expect(durationSeconds.p50 / 50).toBeCloseTo(1, 1);
    expect(durationSeconds.p95 / 95).toBeCloseTo(1, 1);
    expect(waitingSeconds.p50 / 0.5).toBeCloseTo(1, 1);
    expect(waitingSeconds.p95 / 0.95).toBeCloseTo(1, 1);
  });

  it('are of what somebody may see', async () => {
    const stranger = await newWorkspace();
    expect((await byToken(stranger.owner, stranger).get(STATISTICS)).body.totals.succeeded).toBe(0);
    const guest = inApp(await workspace.person('guest'), workspace);
    expect((await guest.get(STATISTICS)).status).toBe(403);
    const team = await api.post('/v1/workspace/teams', { name: 'Others' });
    await api.patch(`/v1/scripts/${script.slug}`, { access: 'teams', teamIds: [team.body.id] });
    const member = inApp(await workspace.person('member'), workspace);
    expect((await member.get(STATISTICS)).body.totals).toMatchObject({ succeeded: 1, failed: 0, other: 0 });
    expect((await member.get(`${STATISTICS}?script=${script.slug}`)).body).toMatchObject({
      totals: { succeeded: 0 },
      versions: [],
    });
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const staging = client({
      token: workspace.owner.token,
      workspace: workspace.slug,
      environment: 'staging',
    });
    expect((await staging.get(STATISTICS)).body.totals).toMatchObject({ succeeded: 3 });
  });

  it.each([
    ['by', '?by=minute'],
    ['since', '?since=yesterday'],
    ['until', '?until=2020-01-01T00:00:00Z&since=2021-01-01T00:00:00Z'],
    ['since', '?since=2999-01-01T00:00:00Z'],
    ['since', '?by=hour&since=2026-01-01T00:00:00Z&until=2026-02-01T01:00:00Z'],
    ['since', '?by=hour&since=2026-01-01T00:00:00Z&until=2026-01-08T01:00:00Z'],
    ['since', '?by=hour&since=2026-01-01T00:00:00Z&until=2026-02-01T01:00:00Z&script=a'],
    ['since', '?by=hour&since=0001-01-01T00:00:00Z&until=9999-01-01T00:00:00Z'],
    ['until', '?until=9999-12-31T23:59:59Z'],
    ['until', '?until=0001-01-01T00:00:00Z'],
    ['since', '?since=0001-01-01T00:00:00Z'],
    ['version', '?version=1'],
    ['version', '?script=a&version=0'],
  ])('refuse a wrong %s: %s', async (path, query) => {
    const { status, body } = await api.get(STATISTICS + query);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  it('have 744 buckets at most', async () => {
    const { buckets } = await read('?by=hour&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z&script=a');
    expect(buckets).toHaveLength(744);
  });
});
