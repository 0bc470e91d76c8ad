import { createHash, randomBytes } from 'node:crypto';

import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Json, Seed, type TestWorkspace, createClient } from '../../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace, startGatehouse } from '../../support/gatehouse.js';
import { expire } from './records.js';

const BYTES = randomBytes(4_194_307);
const TAG = `"${createHash('sha256').update(BYTES).digest('hex')}"`;

let workspace: TestWorkspace;
let id: string;
let link: string;

beforeAll(async () => {
  workspace = await newWorkspace();
  ({ id, link } = await upload());
});

async function upload(
  name = 'Größe 1.bin',
  bytes: Uint8Array = BYTES,
): Promise<{ id: string; link: string }> {
  const api = client({ token: workspace.owner.token, workspace: workspace.slug });
  const { body } = await api.post(`/v1/files?name=${encodeURIComponent(name)}`, bytes, {
    'content-type': 'text/html',
  });
  return { id: body.id, link: body.downloadUrl };
}

const authorized = (): Record<string, string> => ({
  authorization: `Bearer ${workspace.owner.token}`,
  'x-workspace': workspace.slug,
});

/** Both ways to a file's bytes have the same responses. */
const WAYS: [string, (headers?: Record<string, string>, method?: string) => Promise<Response>][] = [
  [
    'GET /v1/files/{id}/content',
    (headers = {}, method = 'GET') =>
      fetch(new URL(`/v1/files/${id}/content`, baseUrl()), {
        method,
        headers: { ...authorized(), ...headers },
      }),
  ],
  ['GET /v1/files/{id}/download', (headers = {}, method = 'GET') => fetch(link, { method, headers })],
];

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe.each(WAYS)('%s', (_, get) => {
  it('returns all bytes, as a download that no browser runs', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': String(BYTES.length),
      'accept-ranges': 'bytes',
      etag: TAG,
      'cache-control': 'private',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment;.*filename\*=UTF-8''Gr%C3%B6%C3%9Fe%201\.bin/,
    );
    expect((await bytesOf(response)).equals(BYTES)).toBe(true);
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=1000000-1999999', 1_000_000, 2_000_000],
    ['bytes=4194300-', 4_194_300, BYTES.length],
    ['bytes=-10', BYTES.length - 10, BYTES.length],
    ['bytes=4194300-99999999', 4_194_300, BYTES.length],
  ])('answers the range %s', async (range, start, end) => {
    const response = await get({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${BYTES.length}`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect((await bytesOf(response)).equals(BYTES.subarray(start, end))).toBe(true);
  });

  it('refuses a range without a byte, and returns everything for what is no range', async () => {
    const beyond = await get({ range: `bytes=${BYTES.length}-` });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${BYTES.length}`);
    const nonsense = await get({ range: 'lines=1-2' });
    expect(nonsense.status).toBe(200);
    await nonsense.arrayBuffer();
  });

  it('returns 304 to whom has the bytes, and a range only of the bytes that the client knows', async () => {
    const known = await get({ 'if-none-match': TAG });
    expect([known.status, (await bytesOf(known)).length, known.headers.get('etag')]).toEqual([304, 0, TAG]);
    const other = await get({ 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
    await other.arrayBuffer();
    const same = await get({ range: 'bytes=0-1', 'if-range': TAG });
    expect(same.status).toBe(206);
    await same.arrayBuffer();
    const changed = await get({ range: 'bytes=0-1', 'if-range': '"other"' });
    expect(changed.status).toBe(200);
    await changed.arrayBuffer();
  });

  it('responds to HEAD without bytes', async () => {
    const response = await get({}, 'HEAD');
    expect([response.status, response.headers.get('content-length'), response.headers.get('etag')]).toEqual([
      200,
      String(BYTES.length),
      TAG,
    ]);
    expect((await bytesOf(response)).length).toBe(0);
  });
});

describe('GET /v1/files/{id}/content', () => {
  it('needs a credential with the scope', async () => {
    expect((await fetch(new URL(`/v1/files/${id}/content`, baseUrl()))).status).toBe(401);
    const token = await workspace.owner.tokenWith({ scopes: ['files:write', 'runs:read'] });
    const { status } = await client({ token, workspace: workspace.slug }).get(`/v1/files/${id}/content`);
    expect(status).toBe(403);
  });

  it('knows no other ids, and nothing that has expired', async () => {
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    for (const unknown of ['fil_01h455vb4pex5vsknk084sn02q', 'x', '..%2f..%2fetc', `run_${id.slice(4)}`]) {
      expect((await api.get(`/v1/files/${unknown}/content`)).status).toBe(404);
    }
    const other = await upload('gone', Buffer.from('x'));
    await expire(other.id);
    expect((await api.get(`/v1/files/${other.id}/content`)).status).toBe(404);
    expect((await fetch(other.link)).status).toBe(404);
  });

  it('returns an empty file', async () => {
    const empty = await upload('empty', new Uint8Array());
    const response = await fetch(empty.link);
    expect([
      response.status,
      response.headers.get('content-length'),
      (await bytesOf(response)).length,
    ]).toEqual([200, '0', 0]);
    expect((await fetch(empty.link, { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });
});

describe('GET /v1/files/{id}/download', () => {
  it('refuses a token that was tampered with, is of another file, or has expired', async () => {
    const other = await upload('other', Buffer.from('x'));
    const token = new URL(link).searchParams.get('token')!;
    const [expiry, signature] = token.split('.') as [string, string];
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    const wrong = [
      new URL(other.link).searchParams.get('token')!,
      `${expiry}.${flipped}`,
      `${Number(expiry) + 3600}.${signature}`,
      `${Math.floor(Date.now() / 1000) - 10}.${signature}`,
      signature,
      'x',
    ];
    for (const each of wrong) {
      const response = await fetch(
        new URL(`/v1/files/${id}/download?token=${encodeURIComponent(each)}`, baseUrl()),
      );
      const body = (await response.json()) as Json;
      expect({ status: response.status, code: body.error.code }).toEqual({ status: 403, code: 'forbidden' });
    }
    expect(Number(expiry)).toBeLessThanOrEqual(Date.now() / 1000 + 3600);
    expect(Number(expiry)).toBeGreaterThan(Date.now() / 1000 + 3000);
  });

  it.each(['', '?token=', '?token=a&token=b', '?token=a&more=b'])('refuses the query "%s"', async (query) => {
    expect((await fetch(new URL(`/v1/files/${id}/download${query}`, baseUrl()))).status).toBe(400);
  });

  it('opens nothing of a deleted file or workspace', async () => {
    const file = await upload('short-lived', Buffer.from('x'));
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    await api.delete(`/v1/files/${file.id}`);
    expect((await fetch(file.link)).status).toBe(404);
    const doomed = await newWorkspace();
    const { body } = await client({ token: doomed.owner.token, workspace: doomed.slug }).post(
      '/v1/files?name=a',
      'x',
      {
        'content-type': 'text/plain',
      },
    );
    expect((await fetch(body.downloadUrl)).status).toBe(200);
    await database().query('UPDATE workspaces SET deleted_at = now() WHERE id = $1', [doomed.id]);
    expect((await fetch(body.downloadUrl)).status).toBe(404);
  });
});

describe('GATEHOUSE_FILE_LINKS=off', () => {
  it('makes and opens no links', { tags: 'slow' }, async () => {
    const gatehouse = await startGatehouse({
      env: { GATEHOUSE_FILE_LINKS: 'off', GATEHOUSE_SIGNUP: 'open' },
    });
    const pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
    try {
      const own = await new Seed(gatehouse.baseUrl, pool).workspace();
      const api = createClient({ baseUrl: gatehouse.baseUrl, token: own.owner.token, workspace: own.slug });
      const { body } = await api.post('/v1/files?name=a', 'hello', { 'content-type': 'text/plain' });
      expect(body.downloadUrl).toBeNull();
      expect((await api.get('/v1/files')).body.items[0].downloadUrl).toBeNull();
      expect((await api.get(`/v1/files/${body.id}/content`)).text).toBe('hello');
      const token = `${Math.floor(Date.now() / 1000) + 60}.${'A'.repeat(43)}`;
      expect((await api.get(`/v1/files/${body.id}/download?token=${token}`)).status).toBe(404);
    } finally {
      await pool.end();
      await gatehouse.stop();
    }
  });
});
