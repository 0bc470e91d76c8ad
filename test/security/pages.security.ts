import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { newVersion, python, run } from '../support/scripts.js';

/** What the service says that a page has at most, besides one item, and some room for brackets. */
const PAGE_BYTES = 2 * 1024 * 1024;
const ROOM = 200_000;
const LARGE = 'x'.repeat(900_000);

let workspace: TestWorkspace;
let api: Client;
let person: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  person = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
});

/** All items of a list of large ones, whose pages all end early. */
async function walk(by: Client, path: string, idOf = (item: Json): string => item.id): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body, text } = await by.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    expect(status, text.slice(0, 500)).toBe(200);
    if (body.items.length > 1) expect(text.length).toBeLessThan(PAGE_BYTES + ROOM);
    expect(body.items.length).toBeGreaterThan(0);
    items.push(...body.items);
    cursor = body.nextCursor;
  }
  expect(new Set(items.map(idOf)).size).toBe(items.length);
  return items;
}

describe('a page of', () => {
  it('runs has neither inputs nor outputs', async () => {
    const script = await python(
      api,
      'import json, os\nprint(json.load(open(os.environ["GATEHOUSE_INPUTS"]))["a"])',
      {
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      },
    );
    const { body } = await run(api, script, { a: LARGE });
    expect(body).toMatchObject({ status: 'succeeded', inputs: { a: LARGE }, output: LARGE });
    const page = await api.get('/v1/runs');
    expect(page.text.length).toBeLessThan(5000);
    expect(Object.keys(page.body.items[0])).not.toEqual(expect.arrayContaining(['inputs']));
  });

  it('schedules and triggers ends before it is too large', async () => {
    const script = await python(api, 'pass', { inputSchema: { type: 'object' } });
    const part = 'x'.repeat(60_000);
    const numbers = Array.from({ length: 45 }, (_, number) => number);
    for (const number of numbers) {
      const schedule = { name: `${number}`, cron: '0 0 1 1 *', inputs: { a: part } };
      const made = await api.post(`/v1/scripts/${script.slug}/schedules`, schedule);
      expect(made.status, made.text.slice(0, 500)).toBe(201);
      const trigger = { name: `${number}`, eventType: 'ping', filter: {}, inputs: { a: part } };
      const answer = await api.post(`/v1/scripts/${script.slug}/triggers`, trigger);
      expect(answer.status, answer.text.slice(0, 500)).toBe(201);
    }
    for (const list of ['/v1/schedules', '/v1/triggers']) {
      for (const path of [list, list.replace('/v1', `/v1/scripts/${script.slug}`)]) {
        expect((await walk(api, path)).map(({ name }) => Number(name))).toEqual(numbers.toReversed());
      }
    }
  });

  it('requests for approval ends before it is too large', async () => {
    const script = await python(api, 'pass', { inputSchema: { type: 'object' } });
    expect((await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' })).status).toBe(200);
    for (let count = 0; count < 5; count++) {
      expect((await run(api, script, { a: LARGE })).status).toBe(202);
    }
    expect(await walk(person, '/v1/workspace/approval-requests')).toHaveLength(5);
  });

  it('scripts and versions ends before it is too large', async () => {
    const script = await python(api, 'pass');
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `p${index}`,
        { type: 'string', description: 'x'.repeat(950) },
      ]),
    );
    const schema = { type: 'object', properties };
    await newVersion(api, script.slug, { 'main.py': 'pass' }, { inputSchema: schema, outputSchema: schema });
    await database().query(COPY_VERSIONS, [script.id, 60]);
    expect(await walk(api, `/v1/scripts/${script.slug}/versions`)).toHaveLength(62);
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    await database().query(COPY_SCRIPTS, [script.id, 60]);
    expect((await walk(api, '/v1/scripts')).length).toBeGreaterThan(60);
  });

  it('teams and secrets ends before it is too large', async () => {
    const other = await newWorkspace();
    const there = client({ token: other.owner.token, workspace: other.slug });
    for (let count = 0; count < 30; count++)
      await there.post('/v1/workspace/teams', { name: `team ${count}` });
    await database().query(FILL_TEAMS, [other.id, 3000]);
    expect(await walk(there, '/v1/workspace/teams')).toHaveLength(31);

    const hosts = Array.from({ length: 50 }, (_, index) => `${'h'.repeat(60)}${index}.example.com`);
    for (let count = 0; count < 10; count++) {
      await there.put(`/v1/workspace/secrets/S${count}`, { value: 'a value', hosts });
    }
    await database().query(FILL_SECRETS, [other.id, 80]);
    const secrets = await walk(there, '/v1/workspace/secrets', ({ name }) => name);
    expect(secrets.map(({ values }) => values.length)).toEqual(Array(10).fill(81));
  });
});

const NEW_ID = `lower(substr(md5(random()::text || i), 1, 16))`;

const COPY_VERSIONS = `
  WITH copied AS (
    INSERT INTO script_versions (id, script_id, number, command, input_schema, output_schema, archive_key,
      archive_bytes, archive_sha256, timeout_seconds, hosts, secrets, env, created_via)
    SELECT substr(v.id, 1, 14) || ${NEW_ID}, v.script_id, v.number + i, v.command, v.input_schema, v.output_schema,
      v.archive_key, v.archive_bytes, v.archive_sha256, v.timeout_seconds, v.hosts, v.secrets, v.env, v.created_via
    FROM script_versions v CROSS JOIN generate_series(1, $2::int) AS i WHERE v.script_id = $1 AND v.number = 2)
  UPDATE scripts SET last_version = last_version + $2 WHERE id = $1`;

const COPY_SCRIPTS = `
  WITH made AS (
    INSERT INTO scripts (id, workspace_id, slug, name, status, published_version, last_version)
    SELECT substr(s.id, 1, 14) || ${NEW_ID}, s.workspace_id, s.slug || '-' || i, s.name, 'published', 1, 1
    FROM scripts s CROSS JOIN generate_series(1, $2::int) AS i WHERE s.id = $1
    RETURNING id)
  INSERT INTO script_versions (id, script_id, number, command, input_schema, output_schema, archive_key,
    archive_bytes, archive_sha256, timeout_seconds, hosts, secrets, env, created_via)
  SELECT 'ver_' || substr(made.id, 5), made.id, 1, v.command, v.input_schema, v.output_schema, v.archive_key,
    v.archive_bytes, v.archive_sha256, v.timeout_seconds, v.hosts, v.secrets, v.env, v.created_via
  FROM made CROSS JOIN script_versions v WHERE v.script_id = $1 AND v.number = 2`;

const FILL_TEAMS = `
  WITH people AS (
    INSERT INTO users (id, email, name)
    SELECT 'usr_0000000000' || ${NEW_ID}, md5(random()::text || i) || '@example.com', 'Someone'
    FROM generate_series(1, $2::int) AS i RETURNING id)
  INSERT INTO team_members (team_id, user_id)
  SELECT t.id, p.id FROM teams t CROSS JOIN people p WHERE t.workspace_id = $1`;

const FILL_SECRETS = `
  WITH places AS (
    INSERT INTO environments (id, workspace_id, name, approval_policy, agents_allowed, is_default)
    SELECT 'env_0000000000' || ${NEW_ID}, $1, 'e' || i, 'none', true, false
    FROM generate_series(1, $2::int) AS i RETURNING id)
  INSERT INTO secret_values (secret_id, environment_id, sealed, hosts)
  SELECT s.id, p.id, v.sealed, v.hosts FROM secrets s JOIN secret_values v ON v.secret_id = s.id CROSS JOIN places p
  WHERE s.workspace_id = $1`;
