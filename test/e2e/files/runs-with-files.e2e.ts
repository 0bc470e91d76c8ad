import { createHash, randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';
import { type TestScript, finished, python, run, runUntil } from '../../support/scripts.js';

const CODE = `
import hashlib, json, os, sys
paths = sys.argv[1:]
os.makedirs('/outputs/parts', exist_ok=True)
for number, path in enumerate(paths):
    with open(path, 'rb') as source, open(f'/outputs/parts/{number}.bin', 'wb') as target:
        target.write(source.read())
with open('/outputs/summary.json', 'w') as summary:
    json.dump({'count': len(paths)}, summary)
print(json.dumps([[path, hashlib.sha256(open(path, 'rb').read()).hexdigest()] for path in paths]))
`;

let workspace: TestWorkspace;
let api: Client;
let script: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  script = await python(api, CODE, {
    command: 'python3 main.py {table} [{other}]',
    inputSchema: {
      type: 'object',
      properties: { table: { type: 'string', format: 'file' }, other: { type: 'string', format: 'file' } },
      required: ['table'],
    },
  });
});

async function upload(name: string, bytes: Uint8Array): Promise<string> {
  const { status, body } = await api.post(`/v1/files?name=${encodeURIComponent(name)}`, bytes, {
    'content-type': 'text/csv',
  });
  expect(status).toBe(201);
  return body.id;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a run with files', () => {
  it('reads what it is given and keeps what it writes', async () => {
    const bytes = randomBytes(2_000_000);
    const table = await upload('Tabelle 1.csv', bytes);
    const other = await upload('x.csv', Buffer.from('x'));
    const { status, body } = await run(api, script, { table, other });
    expect({ status, state: body.status, error: body.error }).toEqual({
      status: 200,
      state: 'succeeded',
      error: null,
    });
    expect(body.output).toEqual([
      ['/inputs/table/Tabelle 1.csv', sha256(bytes)],
      ['/inputs/other/x.csv', sha256(Buffer.from('x'))],
    ]);
    expect(
      body.files.map(({ direction, field, name, type, size, runId }: Json) => ({
        direction,
        field,
        name,
        type,
        size,
        runId,
      })),
    ).toEqual([
      {
        direction: 'in',
        field: 'table',
        name: 'Tabelle 1.csv',
        type: 'text/csv',
        size: 2_000_000,
        runId: body.id,
      },
      { direction: 'in', field: 'other', name: 'x.csv', type: 'text/csv', size: 1, runId: body.id },
      {
        direction: 'out',
        field: null,
        name: 'parts/0.bin',
        type: 'application/octet-stream',
        size: 2_000_000,
        runId: body.id,
      },
      {
        direction: 'out',
        field: null,
        name: 'parts/1.bin',
        type: 'application/octet-stream',
        size: 1,
        runId: body.id,
      },
      {
        direction: 'out',
        field: null,
        name: 'summary.json',
        type: 'application/json',
        size: 12,
        runId: body.id,
      },
    ]);
    expect(body.files[0].id).toBe(table);
    const copy = Buffer.from(await (await fetch(body.files[2].downloadUrl)).arrayBuffer());
    expect(copy.equals(bytes)).toBe(true);
    expect((await api.get(`/v1/files/${body.files[4].id}/content`)).body).toEqual({ count: 2 });
    const { body: list } = await api.get('/v1/files');
    expect(list.items[0]).toMatchObject({
      run: { id: body.id, startedAt: body.startedAt },
      startedBy: workspace.owner.name,
    });
    expect(list.items[0].script).toEqual({ slug: script.slug, name: script.slug });
    const again = await api.post(`/v1/runs/${body.id}/rerun`);
    expect(again.body).toMatchObject({ status: 'succeeded', output: body.output });
    expect(again.body.files[0]).toMatchObject({
      direction: 'in',
      sha256: sha256(bytes),
      runId: again.body.id,
    });
    expect(again.body.files[0].id).not.toBe(table);
  });

  it('keeps a file with two names once', async () => {
    const code = 'import os\nopen("/outputs/b", "w").write("x"); os.link("/outputs/b", "/outputs/a")';
    const { body } = await run(api, await python(api, code));
    expect(body.status, body.error).toBe('succeeded');
    expect(body.files.map(({ name }: Json) => name)).toEqual(['a']);
  });

  it('can be run again with its own copy when the upload is deleted, and again from that run', async () => {
    const bytes = randomBytes(100);
    const file = await upload('mine.csv', bytes);
    const first = (await run(api, script, { table: file })).body;
    const second = (await run(api, script, { table: file, other: file })).body;
    expect(second.status, second.error).toBe('succeeded');
    expect((await api.delete(`/v1/files/${file}`)).status).toBe(204);
    const again = await api.post(`/v1/runs/${second.id}/rerun`);
    expect(again.status, again.text).toBe(200);
    expect(again.body.output.map(([, sum]: string[]) => sum)).toEqual([sha256(bytes), sha256(bytes)]);
    const third = await api.post(`/v1/runs/${again.body.id}/rerun`);
    expect(third.status, third.text).toBe(200);
    // Its own record was the upload, so nothing of the first run's file is left.
    const gone = await api.post(`/v1/runs/${first.id}/rerun`);
    expect([gone.status, gone.body.error.details?.[0]?.path]).toEqual([400, 'inputs.table']);
  });

  it('can be run again only by who may use its files', async () => {
    const file = await upload('other.csv', Buffer.from('x'));
    const { body } = await run(api, script, { table: file });
    const colleague = client({ token: (await workspace.person('member')).token, workspace: workspace.slug });
    expect((await colleague.post(`/v1/runs/${body.id}/rerun`)).status).toBe(200);
    const stranger = client({ token: (await workspace.person('guest')).token, workspace: workspace.slug });
    expect((await stranger.post(`/v1/runs/${body.id}/rerun`)).status).toBe(404);
  });

  it('takes what another run wrote', async () => {
    const table = await upload('a.csv', Buffer.from('a'));
    const first = await run(api, script, { table });
    const second = await run(api, script, { table: first.body.files[1].id });
    expect(second.body.output).toEqual([['/inputs/table/0.bin', sha256(Buffer.from('a'))]]);
  });

  it('is refused with a file that is not there, and gives no file to anybody then', async () => {
    const table = await upload('a.csv', Buffer.from('a'));
    const { status, body } = await run(api, script, { table, other: 'fil_01h455vb4pex5vsknk084sn02q' });
    expect({ status, details: body.error.details }).toEqual({
      status: 400,
      details: [{ path: 'inputs.other', message: expect.stringContaining('no file') }],
    });
    expect((await api.get(`/v1/files/${table}`)).body.runId).toBeNull();
    const runs = `SELECT FROM runs WHERE workspace_id = $1 AND inputs->>'table' = $2`;
    expect((await database().query(runs, [workspace.id, table])).rowCount).toBe(0);
  });

  it('keeps its files from being deleted until it is finished', async () => {
    const long = await python(api, 'import time\ntime.sleep(600)', {
      command: 'python3 main.py {table}',
      timeout: 600,
      inputSchema: { type: 'object', properties: { table: { type: 'string', format: 'file' } } },
    });
    const table = await upload('a.csv', Buffer.from('a'));
    const { status, body } = await run(api, long, { table });
    expect(status).toBe(202);
    expect((await api.delete(`/v1/files/${table}`)).status).toBe(409);
    await api.post(`/v1/runs/${body.id}/cancel`);
    await runUntil(api, body.id, finished);
    expect((await api.delete(`/v1/files/${table}`)).status).toBe(204);
  });
});
