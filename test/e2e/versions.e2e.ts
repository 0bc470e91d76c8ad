import { createHash } from 'node:crypto';
import { request } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newSlug } from '../support/scripts.js';

let ws: TestWorkspace;
let owner: Client;
let member: Client;
let plain: string;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function script(): Promise<string> {
  const slug = newSlug();
  expect((await owner.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  return slug;
}

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
  member = client({ token: (await ws.person('member')).token, workspace: ws.slug });
  plain = await archiveOf({ 'main.py': 'print(1)' });
});

describe('uploading a version', () => {
  it('works out what was left out', async () => {
    const slug = await script();
    const { status, body } = await member.post(`/v1/scripts/${slug}/versions`, { archive: plain });
    expect(status).toBe(201);
    const bytes = Buffer.from(plain, 'base64');
    expect(body).toEqual({
      id: expect.stringMatching(/^ver_[0-9a-z]{26}$/),
      number: 1,
      command: 'python main.py',
      build: null,
      buildLog: null,
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {},
        required: [],
        additionalProperties: false,
      },
      outputSchema: null,
      archiveBytes: bytes.length,
      archiveSha256: sha256(bytes),
      timeoutSeconds: 30,
      retry: null,
      idempotent: false,
      concurrency: null,
      debounce: null,
      labels: {},
      warm: true,
      handler: false,
      keep: null,
      resources: null,
      runsOn: [],
      hosts: [],
      hostRules: [],
      secrets: {},
      env: [],
      createdVia: 'api',
      message: null,
      createdBy: { userId: expect.any(String), name: 'Member Person' },
      published: false,
      publishedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect((await owner.get(`/v1/scripts/${slug}/versions/1`)).body).toEqual(body);
    expect((await owner.get(`/v1/scripts/${slug}`)).body).toMatchObject({
      status: 'draft',
      publishedVersion: null,
    });
    const { rows } = await database().query('SELECT action, details FROM audit_events WHERE target_id = $1', [
      body.id,
    ]);
    expect(rows).toMatchObject([{ action: 'script.version.created', details: { slug, version: 1 } }]);
  });

  it('keeps what was given', async () => {
    const slug = await script();
    const inputSchema = {
      type: 'object',
      properties: {
        zebra: { type: 'string' },
        unit: { enum: ['c', 'f'], default: 'c' },
        constructor: { type: 'string' },
        toString: { type: 'number' },
        table: { type: 'string', format: 'file' },
        a: { type: 'integer' },
      },
      required: ['zebra'],
    };
    const input = {
      archive: await archiveOf({ 'go.py': '' }),
      command: 'python go.py --z {zebra} [--unit {unit}] {constructor}',
      build: null,
      inputSchema,
      outputSchema: { type: 'object', properties: { b: {}, a: {} } },
      hosts: ['API.example.com:443', '*.Bücher.de:8443', 'api.example.com'],
      secrets: {
        TOKEN: { header: 'Authorization', host: 'api.example.com', value: 'Bearer {secret}' },
        OTHER: { header: 'X-Key', hosts: ['*.bücher.de:8443'] },
      },
      env: ['DATABASE_PASSWORD', 'TOKEN', 'TOKEN'],
      timeout: 900,
      readme: '# Hello\n',
      tags: ['x', 'y-1'],
      via: 'cli',
    };
    const { status, body, text } = await owner.post(`/v1/scripts/${slug}/versions`, input);
    expect(status, text).toBe(201);
    expect(body).toMatchObject({
      command: input.command,
      outputSchema: input.outputSchema,
      hosts: ['api.example.com', '*.xn--bcher-kva.de:8443'],
      secrets: {
        TOKEN: { header: 'Authorization', hosts: ['api.example.com'], value: 'Bearer {secret}' },
        OTHER: { header: 'X-Key', hosts: ['*.xn--bcher-kva.de:8443'], value: '{secret}' },
      },
      env: ['DATABASE_PASSWORD', 'TOKEN'],
      timeoutSeconds: 900,
      createdVia: 'cli',
    });
    // In the order in which it was written, which a form shows.
    expect(JSON.stringify(body.inputSchema)).toBe(JSON.stringify(inputSchema));
    const detail = (await owner.get(`/v1/scripts/${slug}`)).body;
    expect(detail).toMatchObject({ tags: ['x', 'y-1'], readme: null, inputSchema: null });
    await owner.post(`/v1/scripts/${slug}/versions`, { archive: plain });
    expect((await owner.get(`/v1/scripts/${slug}`)).body.tags).toEqual(['x', 'y-1']);
    await owner.post(`/v1/scripts/${slug}/versions`, { archive: plain, tags: [] });
    expect((await owner.get(`/v1/scripts/${slug}`)).body.tags).toEqual([]);
  });

  it('derives the inputs from the command', async () => {
    const slug = await script();
    const { body } = await owner.post(`/v1/scripts/${slug}/versions`, {
      archive: plain,
      command: 'python main.py {city} [--unit {unit}]',
    });
    expect(body.inputSchema).toMatchObject({
      properties: { city: { type: 'string' }, unit: { type: 'string' } },
      required: ['city'],
    });
  });

  it.each([
    [{ 'app.py': '', 'other.py': '' }, 'python app.py'],
    [{ 'report.py': '' }, 'python report.py'],
    [{ 'package.json': '{"scripts":{"start":"node lib/x.js"}}', 'lib/x.js': '' }, 'node lib/x.js'],
    [{ 'package.json': '{"main":"lib/x.js","dependencies":{}}', 'lib/x.js': '' }, 'node lib/x.js'],
    [{ 'index.mjs': '' }, 'node index.mjs'],
    [{ 'run.sh': '' }, 'bash run.sh'],
    [{ 'folder/main.py': '', 'folder/lib/a.py': '' }, 'python main.py'],
  ])('%j runs as %s', async (files, command) => {
    const { status, body, text } = await owner.post(`/v1/scripts/${await script()}/versions`, {
      archive: await archiveOf(files),
    });
    expect(status, text).toBe(201);
    expect(body.command).toBe(command);
  });

  it('keeps what is said to be new in it', async () => {
    const slug = await script();
    const made = async (message: unknown) =>
      owner.post(`/v1/scripts/${slug}/versions`, { archive: plain, message });
    expect((await made(' Totals by month\nand by year ')).body.message).toBe('Totals by month\nand by year');
    expect((await made('  ')).body.message).toBeNull();
    expect((await made('x'.repeat(500))).status).toBe(201);
    for (const wrong of ['x'.repeat(501), 7]) {
      const { status, body } = await made(wrong);
      expect([status, body.error.details[0].path]).toEqual([400, 'message']);
    }
    const { items } = (await owner.get(`/v1/scripts/${slug}/versions`)).body;
    expect(items.map(({ message }: { message: string | null }) => message?.length ?? null)).toEqual([
      500,
      null,
      27,
    ]);
  });

  it('is made in the app by a session, whatever it says', async () => {
    const session = client({ cookie: ws.owner.cookie, workspace: ws.slug });
    const { status, body } = await session.post(`/v1/scripts/${await script()}/versions`, {
      archive: plain,
      via: 'api',
    });
    expect([status, body.createdVia]).toEqual([201, 'app']);
  });

  it('gives numbers in order and without gaps to however many at once', async () => {
    const slug = await script();
    await owner.post(`/v1/scripts/${slug}/versions`, { archive: 'nonsense' });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => owner.post(`/v1/scripts/${slug}/versions`, { archive: plain })),
    );
    expect(answers.map(({ body }) => body.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
    const first = (await owner.get(`/v1/scripts/${slug}/versions?limit=5`)).body;
    expect(first.items.map(({ number }: { number: number }) => number)).toEqual([12, 11, 10, 9, 8]);
    const next = (await owner.get(`/v1/scripts/${slug}/versions?limit=100&cursor=${first.nextCursor}`)).body;
    expect(next.items.map(({ number }: { number: number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(next.nextCursor).toBeNull();
    const other = await script();
    expect((await owner.get(`/v1/scripts/${other}/versions?cursor=${first.nextCursor}`)).status).toBe(400);
  });

  it('happens once for one Idempotency-Key, even when sent twice at once', async () => {
    const slug = await script();
    const send = (archive = plain) =>
      owner.post(`/v1/scripts/${slug}/versions`, { archive }, { 'idempotency-key': slug });
    const both = await Promise.all([send(), send()]);
    const statuses = both.map(({ status }) => status).sort();
    expect([
      [201, 201],
      [201, 409],
    ]).toContainEqual(statuses);
    const again = await send();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual((await owner.get(`/v1/scripts/${slug}/versions/1`)).body);
    expect((await owner.get(`/v1/scripts/${slug}/versions`)).body.items).toHaveLength(1);
    expect((await send(await archiveOf({ 'main.py': 'print(2)' }))).status).toBe(422);
  });

  it('is refused for an archived script, and possible again once it is restored', async () => {
    const slug = await script();
    await owner.delete(`/v1/scripts/${slug}`);
    const { status, body } = await owner.post(`/v1/scripts/${slug}/versions`, { archive: plain });
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    await owner.post(`/v1/scripts/${slug}/restore`);
    expect((await owner.post(`/v1/scripts/${slug}/versions`, { archive: plain })).body.number).toBe(1);
  });

  it('knows no script that is not there', async () => {
    expect((await owner.post('/v1/scripts/none/versions', { archive: plain })).status).toBe(404);
    expect((await owner.post('/v1/scripts/none/versions', { archive: '!' })).status).toBe(400);
    expect((await owner.get('/v1/scripts/none/versions')).status).toBe(404);
  });
});

describe('a version that cannot be', () => {
  let slug: string;
  beforeAll(async () => {
    slug = await script();
  });

  const refused = async (input: Record<string, unknown>): Promise<{ path: string; message: string }> => {
    const { status, body, text } = await owner.post(`/v1/scripts/${slug}/versions`, {
      archive: plain,
      ...input,
    });
    expect(status, text).toBe(400);
    expect(body.error.code).toBe('invalid_request');
    const { rows } = await database().query('SELECT last_version, tags FROM scripts WHERE slug = $1', [slug]);
    expect(rows).toEqual([{ last_version: 0, tags: [] }]);
    return body.error.details[0];
  };

  const use = { header: 'x', hosts: ['a.com'] };

  it.each<[Record<string, unknown>, string, RegExp]>([
    [{ archive: undefined }, 'archive', /string/],
    [{ archive: null }, 'archive', /string/],
    [{ archive: '' }, 'archive', /./],
    [{ archive: 'not base64!' }, 'archive', /base64/],
    [{ archive: 'aGVsbG8=' }, 'archive', /gz/],
    [{ command: '' }, 'command', /1/],
    [{ command: null }, 'command', /string/],
    [{ command: 'a'.repeat(2001) }, 'command', /2000/],
    [{ command: 'python main.py {city' }, 'command', /16/],
    [{ command: 'python main.py [--x {city}' }, 'command', /16/],
    [{ command: 'python main.py }' }, 'command', /16/],
    [
      { command: 'python {x}', inputSchema: { type: 'object', properties: { y: {} } } },
      'command',
      /\{x\}.*8/,
    ],
    [{ inputSchema: [] }, 'inputSchema', /object/],
    [{ inputSchema: null }, 'inputSchema', /object/],
    [{ inputSchema: { type: 'array' } }, 'inputSchema.type', /object/],
    [{ inputSchema: { properties: { a: { pattern: '(?=a)' } } } }, 'inputSchema.properties.a.pattern', /./],
    [
      { inputSchema: { properties: { a: { $ref: 'https://a.com/s' } } } },
      'inputSchema.properties.a.$ref',
      /#/,
    ],
    [{ inputSchema: { properties: { a: { type: 'strin' } } } }, 'inputSchema.properties.a.type', /./],
    [{ outputSchema: { type: 1 } }, 'outputSchema.type', /./],
    [{ outputSchema: 'x' }, 'outputSchema', /object/],
    [{ hosts: 'a.com' }, 'hosts', /array/],
    [{ hosts: null }, 'hosts', /array/],
    [{ hosts: ['a.com', '127.0.0.1'] }, 'hosts.1', /IP/],
    [{ hosts: ['https://a.com'] }, 'hosts.0', /scheme/],
    [{ hosts: [1] }, 'hosts.0', /string/],
    [{ hosts: [{ host: 'a.com', paths: ['/a/../b'] }] }, 'hosts.0.paths.0', /path such as/],
    [{ hosts: Array.from({ length: 51 }, (_, index) => `h${index}.com`) }, 'hosts', /50/],
    [{ secrets: [] }, 'secrets', /object/],
    [{ secrets: { PATH: use }, hosts: ['a.com'] }, 'secrets.PATH', /run itself/],
    [{ secrets: { A: use } }, 'secrets.A.hosts.0', /version's hosts/],
    [{ secrets: { A: { ...use, header: 'Host' } }, hosts: ['a.com'] }, 'secrets.A.header', /connection/],
    [{ secrets: { A: use, B: use }, hosts: ['a.com'] }, 'secrets.B', /only one/],
    [{ secrets: { A: { header: 'x' } }, hosts: [] }, 'secrets.A.hosts', /no host to go to/],
    [{ env: ['OK', 'NODE_OPTIONS'] }, 'env.1', /run itself/],
    [{ env: [''] }, 'env.0', /letters/],
    [{ timeout: 0 }, 'timeout', /1/],
    [{ timeout: 901 }, 'timeout', /900/],
    [{ timeout: 1.5 }, 'timeout', /integer/],
    [{ timeout: '30' }, 'timeout', /./],
    [{ timeout: null }, 'timeout', /./],
    [{ readme: 'x'.repeat(100_001) }, 'readme', /100000/],
    [{ readme: 1 }, 'readme', /string/],
    [{ tags: ['A'] }, 'tags.0', /lower-case/],
    [{ via: 'mcp' }, 'via', /cli/],
    [{ build: 1 }, 'build', /string/],
    [{ build: 'x'.repeat(2001) }, 'build', /2000/],
    [{ other: 1 }, 'other', /not a field/],
  ])('%j', async (input, path, message) => {
    expect(await refused(input)).toEqual({ path, message: expect.stringMatching(message) });
  });

  it.each<[Record<string, string>, string, RegExp]>([
    [{ 'readme.txt': '' }, 'command', /main\.py/],
    [{ 'a.py': '', 'b.py': '' }, 'command', /2 \*\.py/],
    [{ 'main.py': '', '../evil': '' }, 'archive', /"\.\.\/evil"/],
    [{ '/etc/x': '' }, 'archive', /"\/etc\/x"/],
    [{ 'index.js': '', 'package.json': '{' }, 'archive', /package\.json/],
  ])('of the files %j', async (files, path, message) => {
    const problem = await refused({ archive: await archiveOf(files) });
    expect(problem).toEqual({ path, message: expect.stringMatching(message) });
  });

  it('takes dependencies that are none', async () => {
    const other = await script();
    const archive = await archiveOf({
      'main.py': '',
      'requirements.txt': '# none\n',
      'package.json': '{"dependencies":{}}',
    });
    expect((await owner.post(`/v1/scripts/${other}/versions`, { archive, build: '' })).status).toBe(201);
  });

  it('with an archive over 10 MiB, or a body over 16', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64');
    expect(await refused({ archive: large })).toMatchObject({ path: 'archive' });
    const body = { archive: 'A'.repeat(17 * 1024 * 1024) };
    const { status, body: answer } = await owner.post(`/v1/scripts/${slug}/versions`, body);
    expect([status, answer.error.code]).toEqual([413, 'payload_too_large']);
  });
});

describe("a version's archive", () => {
  let path: string;
  let bytes: Buffer;
  let etag: string;

  beforeAll(async () => {
    const slug = await script();
    bytes = Buffer.from(plain, 'base64');
    etag = `"${sha256(bytes)}"`;
    await owner.post(`/v1/scripts/${slug}/versions`, { archive: plain });
    path = `/v1/scripts/${slug}/versions/1/archive`;
  });

  const fetchBytes = async (headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
      (done, fail) => {
        const sent = request(new URL(path, baseUrl()), {
          method,
          headers: { authorization: `Bearer ${ws.owner.token}`, 'x-workspace': ws.slug, ...headers },
        });
        sent.on('error', fail).on('response', (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () =>
              done({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
            );
        });
        sent.end();
      },
    );
    return answer;
  };

  it('is what was uploaded, and nothing that a browser would run', async () => {
    const { status, headers, body } = await fetchBytes();
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    const name = `${path.split('/')[3]}-1.tar.gz`;
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private',
      'accept-ranges': 'bytes',
      etag,
    });
  });

  it('comes in parts', async () => {
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=5-${size * 2}`, 5, size - 1],
    ] as const) {
      const { status, headers, body } = await fetchBytes({ range });
      expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${size}`]);
      expect(headers['content-length']).toBe(String(end - start + 1));
      expect(body.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    const whole: Record<string, string>[] = [
      { range: 'bytes=0-1,3-4' },
      { range: 'lines=1' },
      { range: 'bytes=0-1', 'if-range': '"x"' },
    ];
    for (const headers of whole) {
      expect((await fetchBytes(headers)).status).toBe(200);
    }
    expect((await fetchBytes({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    const beyond = await fetchBytes({ range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
    expect(JSON.parse(beyond.body.toString()).error).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'range' }],
    });
    expect(beyond.headers['etag']).toBeUndefined();
  });

  it('is not sent again to who has it', async () => {
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, body } = await fetchBytes({ 'if-none-match': header });
      expect([status, body.length, headers['etag']]).toEqual([304, 0, etag]);
    }
    expect((await fetchBytes({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('tells its size to HEAD', async () => {
    const { status, headers, body } = await fetchBytes({}, 'HEAD');
    expect([status, body.length, headers['content-length'], headers['etag']]).toEqual([
      200,
      0,
      String(bytes.length),
      etag,
    ]);
  });

  it('is stored once, whoever uploads it', async () => {
    const slug = await script();
    await owner.post(`/v1/scripts/${slug}/versions`, { archive: plain });
    const { rows } = await database().query(
      'SELECT DISTINCT archive_key FROM script_versions WHERE archive_sha256 = $1',
      [sha256(bytes)],
    );
    expect(rows).toHaveLength(1);
  });

  it.each(['0', '2', 'x', '01', '-1', '1.0', '99999999999', '2147483648'])(
    'there is no version %s',
    async (number) => {
      for (const answer of [
        await owner.get(path.replace('/1/archive', `/${number}`)),
        await owner.get(path.replace('/1/', `/${number}/`)),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      }
    },
  );
});
