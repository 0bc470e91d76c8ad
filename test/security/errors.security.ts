import { beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import { byToken } from '../support/people.js';
import { finished, python, run, runUntil, type TestScript } from '../support/scripts.js';

const ERRORS = '/v1/errors';
const SECRET = 'hunter2-Zq8w-very-long-secret-value';

let workspace: TestWorkspace;
let api: Client;

beforeEach(async () => {
  workspace = await newWorkspace();
  api = byToken(workspace.owner, workspace);
});

const failed = async (script: TestScript): Promise<Json> => {
  const { body, status, text } = await run(api, script);
  expect(status, text).toBeLessThan(300);
  return runUntil(api, body.id as string, finished);
};
const errors = async (): Promise<Json[]> => (await api.get(`${ERRORS}?limit=100`)).body.items as Json[];
const until = (count: number) => expect.poll(async () => (await errors()).length).toBe(count);

describe('errors', () => {
  it('of another workspace do not exist, nor do their runs', async () => {
    await failed(await python(api, 'raise ValueError("theirs")'));
    await until(1);
    const [theirs] = (await errors()) as [Json];
    const other = await newWorkspace();
    const stranger = byToken(other.owner, other);
    expect((await stranger.get(ERRORS)).body.items).toEqual([]);
    expect((await stranger.get(`${ERRORS}/${theirs.id}`)).status).toBe(404);
    for (const what of ['resolve', 'ignore', 'reopen'])
      expect((await stranger.post(`${ERRORS}/${theirs.id}/${what}`)).status).toBe(404);
    expect((await stranger.get(`/v1/runs?errorId=${theirs.id}`)).body.items).toEqual([]);
    expect((await errors())[0]).toEqual(theirs);
  });

  it('have no secret in their title, sample, fingerprint or events', async () => {
    const put = await api.put('/v1/workspace/secrets/KEY', { value: SECRET, hosts: [], allowEnv: true });
    expect(put.status, put.text).toBeLessThan(300);
    const env = { env: ['KEY'] };
    await failed(await python(api, `import os\nraise ValueError("no such key " + os.environ['KEY'])`, env));
    await failed(
      await python(api, `import os, sys\nprint('key', os.environ['KEY'], file=sys.stderr)\nsys.exit(3)`, env),
    );
    await until(2);
    const { rows } = await database().query(
      `SELECT to_jsonb(g)::text AS text FROM error_groups g WHERE workspace_id = $1
       UNION ALL SELECT data::text FROM events WHERE workspace_id = $1 AND type LIKE 'error.%'`,
      [workspace.id],
    );
    expect(rows).toHaveLength(4);
    for (const { text } of rows as { text: string }[]) expect(text).not.toContain('hunter2');
    expect((await errors()).map(({ title }) => title as string).sort()).toEqual([
      'ValueError: no such key ***',
      'exit code 3: key ***',
    ]);
  });

  it('are few, in whatever ways a script fails', async () => {
    const script = await python(api, 'import sys; print("no", file=sys.stderr); sys.exit(3)');
    const quiet = await python(api, 'raise ValueError("quiet")');
    await failed(quiet);
    const first = await failed(script);
    await until(2);
    // As if it had failed with other words each time.
    await database().query(
      `WITH made AS (
         INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase,
           inputs, by_agent, interface, test, error, started_at, finished_at)
         SELECT left(r.id, 22) || translate(to_char(n, 'FM00000000'), '-', '0'), r.workspace_id, r.environment_id, r.script_id,
           r.script_slug, r.version_id, r.version, r.status, r.phase, r.inputs, r.by_agent, r.interface, r.test,
           'no word like ' || translate(n::text, '0123456789', 'abcdefghij'), r.started_at, r.finished_at
         FROM runs r, generate_series(1, 300) n WHERE r.id = $1 RETURNING id)
       INSERT INTO events (id, workspace_id, environment_id, type, data)
       SELECT 'evt' || substr(made.id, 4), e.workspace_id, e.environment_id, e.type,
         e.data || jsonb_build_object('runId', made.id)
       FROM made, events e WHERE e.type = 'run.failed' AND e.data ->> 'runId' = $1`,
      [first.id],
    );
    await expect
      .poll(async () => {
        const { rows } = await database().query(
          'SELECT sum(count)::int AS counted FROM error_groups WHERE workspace_id = $1',
          [workspace.id],
        );
        return rows[0].counted as number;
      })
      .toBe(302);
    const { items } = (await api.get(`${ERRORS}?script=${script.slug}&limit=100`)).body as { items: Json[] };
    expect(items).toHaveLength(100);
    const { rows } = await database().query(
      `SELECT title, count, (SELECT count(*)::int FROM events e WHERE e.workspace_id = $1 AND e.type = 'error.new') AS told
       FROM error_groups WHERE workspace_id = $1 AND fingerprint = 'others'`,
      [workspace.id],
    );
    expect(rows).toEqual([{ title: 'Other errors of this script', count: 201, told: 102 }]);
    expect((await api.get(`${ERRORS}?script=${quiet.slug}`)).body.items).toHaveLength(1);
  });

  it('show what a script wrote as text that is bounded', async () => {
    const code = `import sys\nsys.stderr.write('<script>' + '\\u202e' + 'x' * 100000 + '\\n')\nsys.exit(1)`;
    await failed(await python(api, code));
    await until(1);
    const [{ title, sample }] = (await errors()) as [{ title: string; sample: string }];
    expect(title.length).toBeLessThanOrEqual(200);
    expect(sample.length).toBeLessThanOrEqual(4_000);
  });
});
