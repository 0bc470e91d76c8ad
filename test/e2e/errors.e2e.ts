import { beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { lockingBriefly } from '../support/locking.js';
import { auditOf, byToken, inApp } from '../support/people.js';
import { finished, newVersion, python, run, runUntil, type TestScript } from '../support/scripts.js';
import { echo, trigger } from '../support/triggers.js';

const ERRORS = '/v1/errors';
/** Throws what it is told to, in a function. */
const THROWS = `import json, os, sys
inputs = json.load(open(os.environ['GATEHOUSE_INPUTS']))
def total_of(rows):
    raise KeyError(inputs['key'])
if inputs.get('exit'):
    print(inputs['key'], file=sys.stderr)
    sys.exit(inputs['exit'])
total_of([])
`;

const INPUTS = { inputSchema: { type: 'object', properties: { key: {}, exit: {} } } };

let workspace: TestWorkspace;
let api: Client;
let script: TestScript;

beforeEach(async () => {
  workspace = await newWorkspace();
  api = byToken(workspace.owner, workspace);
  script = await python(api, THROWS, INPUTS);
});

const fails = async (key: string, fields: object = {}, of = script): Promise<string> => {
  const { body, status, text } = await run(api, of, { key, ...fields });
  expect(status, text).toBeLessThan(300);
  const { id } = (await runUntil(api, body.id as string, finished)) as { id: string };
  return id;
};
const errors = async (query = ''): Promise<Json[]> =>
  (await api.get(`${ERRORS}${query}`)).body.items as Json[];
const read = async ({ id }: Json): Promise<Json> => (await api.get(`${ERRORS}/${id}`)).body;
const counted = (counts: number[]) =>
  expect.poll(async () => (await errors()).map(({ count }) => count as number)).toEqual(counts);
const settled = async (error: Json, what: string, body?: object): Promise<Json> => {
  const answer = await api.post(`${ERRORS}/${error.id}/${what}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const told = async (): Promise<Json[]> => {
  const { rows } = await database().query(
    `SELECT type, data, environment_id, caused_by_run_id FROM events
     WHERE workspace_id = $1 AND type LIKE 'error.%' ORDER BY id`,
    [workspace.id],
  );
  return rows as Json[];
};

describe('errors', () => {
  it('are counted behind one that cannot be', async () => {
    await lockingBriefly(`
      CREATE FUNCTION refuses_an_error() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'This error cannot be counted.'; END $$;
      CREATE TRIGGER refuses_an_error BEFORE INSERT ON error_groups FOR EACH ROW
        WHEN (NEW.workspace_id = '${workspace.id}' AND NEW.title LIKE '%uncountable%') EXECUTE FUNCTION refuses_an_error()`);
    try {
      await fails('uncountable', { exit: 3 });
      await fails('order');
      await counted([1]);
    } finally {
      await lockingBriefly('DROP TRIGGER refuses_an_error ON error_groups; DROP FUNCTION refuses_an_error');
    }
  });

  it('are runs that failed in the same way, newest first', async () => {
    const first = await fails('order 1');
    const second = await fails('order 2');
    await counted([2]);
    const last = await fails('no such city', { exit: 3 });
    await counted([1, 2]);
    const [other, error] = (await errors()) as [Json, Json];
    expect(error).toEqual({
      id: expect.stringMatching(/^err_/) as string,
      title: 'KeyError: <value>',
      exception: 'KeyError',
      place: 'main.py in total_of',
      sample: expect.stringMatching(/^Traceback[^]*in total_of[^]*\nKeyError: 'order 2'$/) as string,
      script: { id: script.id, slug: script.slug },
      environment: 'production',
      status: 'open',
      ignoreUntil: null,
      count: 2,
      firstAt: expect.any(String) as string,
      lastAt: expect.any(String) as string,
      latestRunId: second,
      version: 1,
    });
    expect(other).toMatchObject({
      title: 'exit code 3: no such city',
      exception: null,
      place: null,
      latestRunId: last,
    });
    expect(await read(error)).toEqual(error);
    const runs = (await api.get(`/v1/runs?errorId=${error.id}`)).body.items as Json[];
    expect(runs.map(({ id }) => id as string)).toEqual([second, first]);
    expect((await api.get('/v1/runs?errorId=err_none')).body.items).toEqual([]);
    const matching = await api.post('/v1/runs/rerun', { errorId: error.id, dryRun: true });
    expect(matching.body).toEqual({ matched: 2, more: false });
  });

  it('are counted whatever character stands where a text is cut', async () => {
    for (const begin of ['', 'a']) await fails(`${begin}${'😀'.repeat(600)}`, { exit: 3 });
    await counted([1, 1]);
    const faces = (await errors()).map(({ title, sample }) => `${title} ${sample}`);
    for (const text of faces) expect(text).toMatch(/^exit code 3: a?😀+… exit code 3: a?😀+…?$/u);
    expect(await told()).toHaveLength(2);
  });

  it('are one still where a new version moved the line', async () => {
    await fails('a');
    await newVersion(api, script.slug, { 'main.py': `# a comment\n\n${THROWS}` }, INPUTS);
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    await fails('b');
    await counted([2]);
    expect((await errors())[0]).toMatchObject({ version: 2 });
  });

  it('are told apart by script and environment, and narrowed by both', async () => {
    await api.post('/v1/workspace/environments', { name: 'staging' });
    const staging = client({
      token: workspace.owner.token,
      workspace: workspace.slug,
      environment: 'staging',
    });
    const other = await python(api, THROWS, INPUTS);
    await fails('a');
    await fails('a', {}, other);
    const { body } = await run(staging, script, { key: 'a' });
    await runUntil(staging, body.id as string, finished);
    await counted([1, 1, 1]);
    const of = async (query: string) => (await errors(query)).length;
    expect(await of(`?script=${other.slug}`)).toBe(1);
    expect(await of('?environment=staging')).toBe(1);
    expect(await of(`?script=${script.slug}`)).toBe(2);
    expect(await of('?status=resolved')).toBe(0);
    expect(await of('?status=open')).toBe(3);
    const page = (await api.get(`${ERRORS}?limit=2`)).body;
    expect(page.items).toHaveLength(2);
    const next = (await api.get(`${ERRORS}?limit=2&cursor=${page.nextCursor}`)).body;
    expect([...page.items, ...next.items]).toEqual(await errors());
    expect(next.nextCursor).toBeNull();
  });

  it('do not count tests', async () => {
    const { body } = await api.post(`/v1/scripts/${script.slug}/versions/1/runs`, { inputs: { key: 'a' } });
    await runUntil(api, body.id as string, finished);
    await fails('b');
    await counted([1]);
  });

  it('are told of when they are new and when they return, and only then', async () => {
    const first = await fails('a');
    await fails('b');
    await counted([2]);
    const [error] = (await errors()) as [Json];
    const about = {
      errorId: error.id as string,
      title: 'KeyError: <value>',
      exception: 'KeyError',
      place: 'main.py in total_of',
      script: { id: script.id, slug: script.slug, name: script.slug },
      environment: 'production',
      version: 1,
    };
    expect(await told()).toMatchObject([
      { type: 'error.new', caused_by_run_id: first, data: { ...about, runId: first, count: 1 } },
    ]);
    expect(await settled(error, 'resolve')).toEqual({ ...error, status: 'resolved' });
    expect(await errors('?status=resolved')).toHaveLength(1);
    const third = await fails('c');
    await counted([3]);
    expect((await read(error)).status).toBe('open');
    await fails('d');
    await counted([4]);
    expect(await told()).toMatchObject([
      { type: 'error.new' },
      { type: 'error.returned', caused_by_run_id: third, data: { ...about, runId: third, count: 3 } },
    ]);
  });

  it('are counted and not told of while they are ignored, until that is over', async () => {
    await fails('a');
    await counted([1]);
    const [error] = (await errors()) as [Json];
    expect(await settled(error, 'ignore')).toMatchObject({ status: 'ignored', ignoreUntil: null });
    await fails('b');
    await counted([2]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    expect(await settled(error, 'ignore', { until })).toMatchObject({
      status: 'ignored',
      ignoreUntil: until,
    });
    expect(await errors('?status=ignored')).toHaveLength(1);
    expect(await errors('?status=open')).toHaveLength(0);
    await database().query(`UPDATE error_groups SET ignore_until = now() WHERE id = $1`, [error.id]);
    expect(await read(error)).toMatchObject({ status: 'open', ignoreUntil: null });
    expect(await errors('?status=ignored')).toHaveLength(0);
    expect(await errors('?status=open')).toHaveLength(1);
    expect(await told()).toHaveLength(1);
    await fails('c');
    await counted([3]);
    expect((await told()).map(({ type }) => type as string)).toEqual(['error.new', 'error.returned']);
  });

  it('say who settled them in the audit trail, once', async () => {
    await fails('a');
    await counted([1]);
    const [error] = (await errors()) as [Json];
    await settled(error, 'resolve');
    await settled(error, 'resolve');
    await settled(error, 'ignore', { until: null });
    expect(await settled(error, 'reopen')).toEqual(error);
    const details = { title: 'KeyError: <value>', script: script.slug };
    expect(await auditOf(workspace, error.id as string)).toMatchObject([
      { action: 'error.resolved', targetType: 'error', actorUserId: workspace.owner.id, details },
      { action: 'error.ignored', details: { ...details, until: null } },
      { action: 'error.reopened', details },
    ]);
  });

  it('start triggers', async () => {
    const follower = await echo(api);
    await trigger(api, follower, {
      eventType: 'error.new',
      filter: { 'script.slug': script.slug },
      inputs: { what: '{{event.data.title}}' },
    });
    await fails('a');
    await expect
      .poll(async () => {
        const { items } = (await api.get(`/v1/runs?script=${follower.slug}&status=succeeded`)).body;
        return items.length as number;
      })
      .toBe(1);
    const { items } = (await api.get(`/v1/runs?script=${follower.slug}`)).body;
    const { output } = (await api.get(`/v1/runs/${items[0].id}`)).body;
    expect(JSON.stringify(output)).toContain('KeyError: <value>');
  });

  it('are settled by members who see the script, and are there for nobody else', async () => {
    await fails('a');
    await counted([1]);
    const [error] = (await errors()) as [Json];
    const member = inApp(await workspace.person('member'), workspace);
    const guest = inApp(await workspace.person('guest'), workspace);
    expect((await member.post(`${ERRORS}/${error.id}/resolve`)).status).toBe(200);
    expect((await guest.get(ERRORS)).status).toBe(403);
    const team = await api.post('/v1/workspace/teams', { name: 'Others' });
    await api.patch(`/v1/scripts/${script.slug}`, { access: 'teams', teamIds: [team.body.id] });
    expect((await member.get(ERRORS)).body.items).toEqual([]);
    for (const path of ['', '/resolve', '/ignore', '/reopen']) {
      const call =
        path === '' ? member.get(`${ERRORS}/${error.id}`) : member.post(`${ERRORS}/${error.id}${path}`);
      expect((await call).status).toBe(404);
    }
    expect((await read(error)).status).toBe('resolved');
  });

  it.each([
    ['until', { until: 'tomorrow' }],
    ['until', { until: '2020-01-01T00:00:00Z' }],
    ['until', { until: 7 }],
    ['for', { for: '7d' }],
  ])('refuse a wrong %s', async (path, body) => {
    await fails('a');
    await counted([1]);
    const [error] = (await errors()) as [Json];
    const answer = await api.post(`${ERRORS}/${error.id}/ignore`, body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  it('refuse a status and an id that there is not', async () => {
    const { status, body } = await api.get(`${ERRORS}?status=closed`);
    expect([status, body.error.details[0].path]).toEqual([400, 'status']);
    expect((await api.get(`${ERRORS}/err_none`)).status).toBe(404);
    expect((await api.post(`${ERRORS}/run_01k7q3v5yzf8c9m2n4p6r8t0vw/resolve`)).status).toBe(404);
  });
});
