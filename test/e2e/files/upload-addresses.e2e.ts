import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../../support/gatehouse.js';
import { mcpClient, said } from '../../support/mcp.js';
import { auditOf } from '../../support/people.js';
import { python } from '../../support/scripts.js';

const UPLOADS = '/v1/files/uploads';
const MINUTES_15 = 900_000;

let workspace: TestWorkspace;
let api: Client;
let agent: string;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  agent = await workspace.owner.agent();
});

const send = (address: string, body: string | Buffer): Promise<Response> =>
  fetch(address, { method: 'PUT', body: Uint8Array.from(Buffer.from(body)) });

describe('an address to which a file is sent', () => {
  it('is asked for with a name and a size, and takes the bytes without a credential', async () => {
    const asked = await api.post(UPLOADS, { name: 'folder/table.csv', maxBytes: 3_000_000 });
    expect(asked.status, asked.text).toBe(201);
    expect(asked.body).toEqual({
      id: expect.stringMatching(/^upl_[0-9a-z]{26}$/),
      uploadUrl: expect.stringMatching(
        new RegExp(`^${baseUrl()}${UPLOADS}/${asked.body.id}\\?token=[0-9A-Za-z]{43}$`),
      ),
      name: 'table.csv',
      maxBytes: 3_000_000,
      expiresAt: expect.any(String),
    });
    const left = Date.parse(asked.body.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(MINUTES_15 - 60_000);
    expect(left).toBeLessThanOrEqual(MINUTES_15 + 60_000);
    const bytes = randomBytes(2_500_000);
    const response = await send(asked.body.uploadUrl, bytes);
    const file = (await response.json()) as Json;
    expect([response.status, file]).toEqual([
      201,
      expect.objectContaining({
        id: expect.stringMatching(/^fil_/),
        name: 'table.csv',
        type: 'text/csv',
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      }),
    ]);
    const { body: list } = await api.get('/v1/files');
    expect(list.items[0]).toMatchObject({ id: file.id, startedBy: 'Olive Owner' });
    const content = await api.get(`/v1/files/${file.id}/content`);
    expect(content.status).toBe(200);
    expect(await auditOf(workspace, asked.body.id)).toMatchObject([
      { action: 'file.address_created', details: { name: 'table.csv', maxBytes: 3_000_000 } },
    ]);
    expect(await auditOf(workspace, file.id)).toMatchObject([{ action: 'file.uploaded' }]);
  });

  it('is what curl uses', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-curl-'));
    await writeFile(join(directory, 'report.txt'), 'a report by curl');
    const { body } = await api.post(UPLOADS, { name: 'report.txt', maxBytes: 1000 });
    const arguments_ = ['-sS', '-T', join(directory, 'report.txt'), body.uploadUrl as string];
    const { stdout } = await promisify(execFile)('curl', arguments_);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'report.txt', type: 'text/plain', size: 16 });
    await rm(directory, { recursive: true });
  });

  it.each([
    [{ name: 'a.txt' }, 'maxBytes'],
    [{ name: 'a.txt', maxBytes: 104_857_601 }, 'maxBytes'],
    [{ name: 'a.txt', maxBytes: 1.5 }, 'maxBytes'],
    [{ name: 'a.txt', maxBytes: -1 }, 'maxBytes'],
    [{ name: 'a\u0007.txt', maxBytes: 1 }, 'name'],
    [{ name: 'a.txt', maxBytes: 1, type: 'text/csv' }, 'type'],
  ])('is none for %j', async (body, path) => {
    const refused = await api.post(UPLOADS, body);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toBe(path);
  });

  it('keeps hashes, and none for longer than it is good', async () => {
    const { body } = await api.post(UPLOADS, { name: 'a.txt', maxBytes: 5 });
    const token = new URL(body.uploadUrl).searchParams.get('token')!;
    const rows = async () =>
      (await database().query('SELECT * FROM upload_addresses WHERE id = $1', [body.id])).rows;
    const [row] = await rows();
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row.token_hash).toEqual(createHash('sha256').update(token).digest());
    expect((await send(body.uploadUrl, 'hello')).status).toBe(201);
    expect(await rows()).toEqual([]);
  });
});

describe('upload_file', () => {
  const call = async (args: object): Promise<ReturnType<typeof said>> => {
    const mcp = await mcpClient(agent);
    const result = said(await mcp.callTool({ name: 'upload_file', arguments: { ...args } }));
    await mcp.close();
    return result;
  };

  it.each([
    [{ text: 'a,b\n1,ü\n' }, 'a,b\n1,ü\n'],
    [{ base64: Buffer.from([0, 255, 10]).toString('base64') }, '\u0000\ufffd\n'],
  ])('stores %j, which a script takes', async (given, content) => {
    const { structured, isError } = await call({ name: 'table.csv', ...given });
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      id: expect.stringMatching(/^fil_/),
      name: 'table.csv',
      type: 'text/csv',
    });
    const stored = await api.get(`/v1/files/${structured.id}/content`);
    expect([stored.status, stored.text]).toEqual([200, content]);
    const size = await python(api, 'import os, sys\nprint(os.path.getsize(sys.argv[1]))', {
      command: 'python main.py {table}',
      inputSchema: {
        type: 'object',
        properties: { table: { type: 'string', format: 'file' } },
        required: ['table'],
      },
    });
    const mcp = await mcpClient(agent);
    const ran = said(await mcp.callTool({ name: size.slug, arguments: { table: structured.id } }));
    expect(ran).toMatchObject({ isError: false, text: String(structured.size) });
    await mcp.close();
  });

  it('gives an address for a larger one, to which a shell sends it in the name of the app', async () => {
    const { structured, isError } = await call({ name: 'large.bin', maxBytes: 5_000_000 });
    expect(isError).toBe(false);
    expect(structured).toEqual({
      uploadUrl: expect.stringContaining(`${UPLOADS}/upl_`),
      maxBytes: 5_000_000,
      expiresAt: expect.any(String),
      command: `curl -T FILE '${structured.uploadUrl}'`,
    });
    const response = await send(structured.uploadUrl as string, randomBytes(4_000_000));
    const file = (await response.json()) as Json;
    expect([response.status, file.size]).toEqual([201, 4_000_000]);
    const { body } = await api.get('/v1/files?limit=1');
    expect(body.items[0]).toMatchObject({ id: file.id, startedBy: 'Test agent' });
    expect(await auditOf(workspace, file.id)).toMatchObject([{ action: 'file.uploaded' }]);
  });

  it.each([{}, { text: 'a', base64: 'YQ==' }, { text: 'a', maxBytes: 1 }])(
    'does one thing: not %j',
    async (args) => {
      const { isError, text } = await call({ name: 'a.txt', ...args });
      expect(isError).toBe(true);
      expect(text).toContain('give one of `text`, `base64` and `maxBytes`');
    },
  );

  it('acts in the environment that it names, with an address too', async () => {
    const app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    await app.post('/v1/workspace/environments', { name: 'staging' });
    const { structured } = await call({ name: 'a.txt', maxBytes: 10, environment: 'staging' });
    const file = (await (await send(structured.uploadUrl as string, 'staged')).json()) as Json;
    const { rows } = await database().query(
      'SELECT e.name FROM files f JOIN environments e ON e.id = f.environment_id WHERE f.id = $1',
      [file.id],
    );
    expect(rows).toEqual([{ name: 'staging' }]);
  });
});
