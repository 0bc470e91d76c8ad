import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, Seed, type TestWorkspace, createClient } from '../../../libs/testing/index.js';
import { startGatehouse } from '../../support/gatehouse.js';

const DAY_MS = 86_400_000;
const MAX_BYTES = 104_857_600;

/** Alone: of a service that others use, it could not be told whose bytes are left. */
let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' } });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  api = as(workspace.owner.token);
});
afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
});

const as = (token: string): Client =>
  createClient({ baseUrl: gatehouse.baseUrl, token, workspace: workspace.slug });

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

function form(...parts: [name: string, content: string | Blob, filename?: string][]): FormData {
  const data = new FormData();
  for (const [name, content, filename] of parts) {
    if (typeof content === 'string') data.append(name, content);
    else data.append(name, content, filename);
  }
  return data;
}

const csv = (text = 'a,b\n1,2\n'): Blob => new Blob([text], { type: 'text/csv; charset=utf-8' });

/** A form as no well-behaved client would write it. */
function rawForm(lines: string[]): [string, Record<string, string>] {
  return [lines.join('\r\n'), { 'content-type': 'multipart/form-data; boundary=X' }];
}

function namedForm(filename: string): [string, Record<string, string>] {
  return rawForm([
    '--X',
    `content-disposition: form-data; name="file"; filename=${filename}`,
    'content-type: text/plain',
    '',
    'hello',
    '--X--',
    '',
  ]);
}

describe('POST /v1/files', () => {
  it('takes a form with one file', async () => {
    const before = Date.now();
    const { status, body, headers } = await api.post('/v1/files', form(['file', csv(), 'table.csv']));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^fil_[0-9a-z]{26}$/),
      name: 'table.csv',
      type: 'text/csv',
      size: 8,
      direction: 'in',
      runId: null,
      field: null,
      sha256: sha256('a,b\n1,2\n'),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: expect.any(String),
      downloadUrl: expect.stringContaining(`/v1/files/${body.id}/download?token=`),
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(DAY_MS);
    expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(60_000);
    expect(headers.get('idempotent-replayed')).toBeNull();
    const { rows } = await pool.query(
      `SELECT actor_user_id AS "userId", details FROM audit_events WHERE target_id = $1 AND action = 'file.uploaded'`,
      [body.id],
    );
    expect(rows).toEqual([{ userId: workspace.owner.id, details: { name: 'table.csv' } }]);
  });

  it('takes the bytes themselves with a name', async () => {
    const bytes = randomBytes(3_000_001);
    const { status, body } = await api.post('/v1/files?name=a%20b.bin', bytes, {
      'content-type': 'IMAGE/Png',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'a b.bin',
      type: 'image/png',
      size: 3_000_001,
      sha256: sha256(bytes),
    });
    const content = await fetch(body.downloadUrl);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('takes bytes of unknown length and type, and none at all', async () => {
    const chunks = Array.from({ length: 40 }, () => randomBytes(65_536));
    const sent = await send('/v1/files?name=stream', Readable.from(chunks));
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({
      type: 'application/octet-stream',
      size: 40 * 65_536,
      sha256: sha256(Buffer.concat(chunks)),
    });
    const empty = await send('/v1/files?name=empty', Readable.from([]));
    expect(empty.body).toMatchObject({ size: 0, sha256: sha256('') });
    const emptyPart = await api.post('/v1/files', form(['file', new Blob([]), 'empty.txt']));
    expect(emptyPart.body).toMatchObject({ size: 0, name: 'empty.txt', type: 'application/octet-stream' });
  });

  it('takes JSON and forms of other kinds as mere bytes', async () => {
    const json = await api.post('/v1/files?name=a.json', '{broken', { 'content-type': 'application/json' });
    expect(json.body).toMatchObject({ type: 'application/json', size: 7 });
  });

  it.each([
    ['"../../etc/passwd"', 'passwd'],
    ['"C:\\\\Users\\\\me\\\\report.csv"', 'report.csv'],
    ['"a/b/"', 'file'],
    ['""', 'file'],
    ['".."', 'file'],
    ['"übersicht – 東京 🧮.csv"', 'übersicht – 東京 🧮.csv'],
    [`"${'é'.repeat(127)}"`, 'é'.repeat(127)],
  ])('makes the filename %s into a name without folders', async (filename, name) => {
    const { status, body } = await api.post('/v1/files', ...namedForm(filename));
    expect({ status, name: body.name }).toEqual({ status: 201, name });
  });

  it.each([
    ['a control character', '"a\u0007b"', 'file'],
    ['a turned direction', '"gpj\u202e.exe"', 'file'],
    ['256 bytes', `"${'a'.repeat(256)}"`, 'file'],
  ])('refuses a filename with %s', async (_, filename, path) => {
    const { status, body } = await api.post('/v1/files', ...namedForm(filename));
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path, message: expect.stringContaining('name') }]);
  });

  it.each([
    ['%2E%2E%2F..%2Fetc%2Fpasswd', 201],
    ['a%0Ab', 400],
    ['a%0D%0Aset-cookie%3A%20x', 400],
    ['a%00b', 400],
    ['', 400],
  ])('judges ?name=%s as well', async (name, status) => {
    const answer = await api.post(`/v1/files?name=${name}`, 'x', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.body.name).toBe('passwd');
    else expect(answer.body.error.details[0].path).toBe('name');
  });

  it.each([
    ['no part', form(), 'file'],
    ['a field only', form(['note', 'hello']), 'note'],
    ['text where the file belongs', form(['file', 'hello']), 'file'],
    ['a file by another name', form(['document', csv(), 'a.csv']), 'document'],
    ['two files', form(['file', csv(), 'a.csv'], ['file', csv(), 'b.csv']), 'file'],
    ['a field before the file', form(['note', 'hello'], ['file', csv(), 'a.csv']), 'note'],
    ['a field after the file', form(['file', csv(), 'a.csv'], ['note', 'hello']), 'note'],
  ])('refuses a form with %s', async (_, data, path) => {
    await leavingNothing(async () => {
      const { status, body } = await api.post('/v1/files', data);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_request', details: [{ path }] });
    });
  });

  it.each([
    ['without a boundary', ['hello', { 'content-type': 'multipart/form-data' }]],
    [
      'that breaks off',
      rawForm(['--X', 'content-disposition: form-data; name="file"; filename="a"', '', 'hel']),
    ],
    ['that is none', rawForm(['hello'])],
    [
      'with a malformed type',
      rawForm([
        '--X',
        'content-disposition: form-data; name="file"; filename="a"',
        'content-type: csv',
        '',
        'x',
        '--X--',
      ]),
    ],
  ] as [string, [string, Record<string, string>]][])('refuses a form %s', async (_, [data, headers]) => {
    const { status, body } = await api.post('/v1/files', data, headers);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('refuses bytes without a name or with a malformed type, a form with ?name and other parameters', async () => {
    const nameless = await api.post('/v1/files', 'x', { 'content-type': 'text/plain' });
    expect(nameless.body.error.details[0].path).toBe('name');
    const type = await api.post('/v1/files?name=a', 'x', { 'content-type': 'text/p lain' });
    expect([type.status, type.body.error.code]).toEqual([415, 'unsupported_media_type']);
    const both = await api.post('/v1/files?name=a', form(['file', csv(), 'a.csv']));
    expect({ status: both.status, path: both.body.error.details[0].path }).toEqual({
      status: 400,
      path: 'name',
    });
    const other = await api.post('/v1/files?name=a&folder=b', 'x', { 'content-type': 'text/plain' });
    expect({ status: other.status, path: other.body.error.details[0].path }).toEqual({
      status: 400,
      path: 'folder',
    });
  });

  it('takes 104,857,600 bytes and not one more, however they come', { tags: 'slow' }, async () => {
    const most = Buffer.alloc(MAX_BYTES);
    const whole = await api.post('/v1/files?name=most', most, { 'content-type': 'application/x-zeros' });
    expect({ status: whole.status, size: whole.body.size }).toEqual({ status: 201, size: MAX_BYTES });
    await leavingNothing(async () => {
      const more = Buffer.alloc(MAX_BYTES + 1);
      const announced = await api.post('/v1/files?name=more', more, {
        'content-type': 'application/x-zeros',
      });
      const inForm = await api.post('/v1/files', form(['file', new Blob([more]), 'more']));
      const streamed = await send('/v1/files?name=more', Readable.from(parts(more)));
      for (const { status, body } of [announced, inForm, streamed]) {
        expect({ status, code: body.error.code }).toEqual({ status: 413, code: 'payload_too_large' });
      }
    });
  });

  it('keeps nothing of an upload that breaks off', async () => {
    await leavingNothing(async () => {
      await breakOff('/v1/files?name=a', {});
      await breakOff('/v1/files', { 'content-type': 'multipart/form-data; boundary=X' });
    });
  });

  it('says who may not before it reads a byte', async () => {
    const silent = (token: string | null): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = {
          'content-length': '1000',
          'x-workspace': workspace.slug,
          ...(token !== null && { authorization: `Bearer ${token}` }),
        };
        const request = httpRequest(new URL('/v1/files?name=a', gatehouse.baseUrl), {
          method: 'POST',
          headers,
        });
        request.on('response', (response) => {
          resolve(response.statusCode!);
          request.destroy();
        });
        request.on('error', reject);
        request.flushHeaders();
      });
    expect(await silent(null)).toBe(401);
    expect(await silent(await workspace.owner.tokenWith({ scopes: ['files:read'] }))).toBe(403);
  });

  it('lets every role, keys and agents upload', async () => {
    const tokens = [
      (await workspace.person('admin')).token,
      (await workspace.person('member')).token,
      (await workspace.person('guest')).token,
      await workspace.owner.agent(),
      await workspace.apiKey(),
    ];
    for (const token of tokens) {
      expect((await as(token).post('/v1/files', form(['file', csv(), 'a']))).status).toBe(201);
    }
  });
});

describe('POST /v1/files with an Idempotency-Key', () => {
  it('makes one file, whatever the boundary', async () => {
    const headers = { 'idempotency-key': 'same-form' };
    const first = await api.post('/v1/files', form(['file', csv(), 'a.csv']), headers);
    const again = await api.post('/v1/files', form(['file', csv(), 'a.csv']), headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    // A link says in seconds until when it holds.
    expect(again.body).toEqual({ ...first.body, downloadUrl: expect.any(String) });
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  it('refuses another name, type, content or query under the same key', async () => {
    const headers = { 'idempotency-key': 'other-form' };
    await api.post('/v1/files', form(['file', csv(), 'a.csv']), headers);
    const others = [
      await api.post('/v1/files', form(['file', csv(), 'b.csv']), headers),
      await api.post('/v1/files', form(['file', csv('a,b\n1,3\n'), 'a.csv']), headers),
      await api.post('/v1/files', form(['file', new Blob(['a,b\n1,2\n']), 'a.csv']), headers),
      await api.post('/v1/files?name=a.csv', 'a,b\n1,2\n', { ...headers, 'content-type': 'text/csv' }),
    ];
    for (const { status, body } of others) {
      expect({ status, code: body.error.code }).toEqual({ status: 422, code: 'idempotency_mismatch' });
    }
  });

  it('forgets a request that failed, and works for large bodies', async () => {
    const headers = { 'idempotency-key': 'failed-first' };
    expect((await api.post('/v1/files', form(['note', 'x']), headers)).status).toBe(400);
    const bytes = randomBytes(5_000_000);
    const first = await api.post('/v1/files', form(['file', new Blob([bytes]), 'big']), headers);
    const again = await api.post('/v1/files', form(['file', new Blob([bytes]), 'big']), headers);
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
  });

  it('makes one file of two requests at once', async () => {
    const upload = () =>
      api.post('/v1/files', form(['file', csv(), 'once.csv']), { 'idempotency-key': 'at-once' });
    const answers = await Promise.all([upload(), upload(), upload()]);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    await expect.poll(async () => (await upload()).status).toBe(201);
    const { rows } = await pool.query(`SELECT id FROM files WHERE workspace_id = $1 AND name = 'once.csv'`, [
      workspace.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('refuses a key that is none', async () => {
    const { status } = await api.post('/v1/files', form(['file', csv(), 'a']), {
      'idempotency-key': 'x'.repeat(256),
    });
    expect(status).toBe(400);
  });
});

function* parts(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_048_576) yield bytes.subarray(at, at + 1_048_576);
}

/** Sends a body whose length is not known beforehand. */
async function send(
  path: string,
  body: Readable,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const response = await fetch(new URL(path, gatehouse.baseUrl), {
    method: 'POST',
    body: Readable.toWeb(body) as ReadableStream,
    duplex: 'half',
    headers: { authorization: `Bearer ${workspace.owner.token}`, 'x-workspace': workspace.slug },
  } as RequestInit);
  return { status: response.status, body: await response.json() };
}

async function breakOff(path: string, headers: Record<string, string>): Promise<void> {
  const request = httpRequest(new URL(path, gatehouse.baseUrl), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workspace.owner.token}`,
      'x-workspace': workspace.slug,
      'content-length': '50000000',
      ...headers,
    },
  });
  const closed = new Promise((done) => request.once('close', done));
  request.on('error', () => undefined);
  request.write('--X\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
  request.write(randomBytes(2_000_000));
  await expect.poll(staged).not.toEqual([]);
  request.destroy();
  await closed;
}

const staged = (): Promise<string[]> => readdir(join(gatehouse.dataDirectory, 'files', 'staged'));

async function records(): Promise<number> {
  return (await pool.query('SELECT FROM files')).rowCount!;
}

/** Keys of bytes that no file refers to. */
async function unusedBlobs(): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    'SELECT key FROM file_blobs b WHERE NOT EXISTS (SELECT FROM files f WHERE f.blob_key = b.key)',
  );
  return rows.map(({ key }) => key);
}

/** Does something that has to leave nothing behind: neither a record nor bytes. */
async function leavingNothing(work: () => Promise<void>): Promise<void> {
  const before = await records();
  await work();
  await expect.poll(unusedBlobs).toEqual([]);
  await expect.poll(staged).toEqual([]);
  expect(await records()).toBe(before);
}
