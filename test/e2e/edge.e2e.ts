import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { type RawAnswer, exchange, send } from '../support/raw-http.js';

const ENVIRONMENTS = '/v1/workspace/environments';

let workspace: TestWorkspace;
let api: Client;
let credential: Record<string, string>;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  credential = { authorization: `Bearer ${workspace.owner.token}`, 'x-workspace': workspace.slug };
});

function post(body: string | Buffer | Buffer[], headers: Record<string, string> = {}): Promise<RawAnswer> {
  return send(ENVIRONMENTS, {
    method: 'POST',
    headers: { ...credential, 'content-type': 'application/json', ...headers },
    body,
  });
}

/** That it is the one envelope, whole, with the same id as the header. */
function expectProblem(
  answer: { status: number; headers: unknown; body: Json },
  status: number,
  code: string,
): void {
  expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status, code });
  const { headers } = answer;
  const header = headers instanceof Headers ? headers.get('x-request-id') : (headers as Json)['x-request-id'];
  expect(answer.body.error.requestId).toBe(header);
  expect(answer.body.error.requestId).toMatch(/^req_[0-9a-f]{24}$/);
  expect(answer.body.error.docs).toBe(`${baseUrl()}/docs/errors#${code}`);
  expect(answer.body.error.message).toEqual(expect.stringMatching(/\S/));
}

describe('a body', () => {
  it.each([
    ['malformed JSON', '{"name": "a"', /JSON/],
    ['a trailing comma', '{"name": "a",}', /JSON/],
    ['an array', '[]', /object/],
    ['a string', '"name"', /object/],
    ['null', 'null', /object/],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['objects 100 deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, /deep/],
    ['arrays 100,000 deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /deep/],
  ])('of %s is a 400 that says so', async (_, body, message) => {
    const answer = await post(body);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.message).toMatch(message);
  });

  it.each([
    ['a NUL', '{"name":"a\\u0000b"}', 'name'],
    ['half of a surrogate pair', '{"name":"a\\ud800"}', 'name'],
    ['a NUL in a name', '{"na\\u0000me":1}', 'na\0me'],
    ['a prototype', '{"__proto__":{"name":"a"}}', '__proto__'],
    ['an unknown field', '{"name":"edge","colour":"red"}', 'colour'],
    ['a field of the wrong type', '{"name":["edge"]}', 'name'],
    ['a null that is not allowed', '{"name":"edge","agentsAllowed":null}', 'agentsAllowed'],
  ])('with %s is a 400 at that place', async (_, body, path) => {
    const answer = await post(body);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toEqual([{ path, message: expect.stringMatching(/\S/) }]);
  });

  it('that is missing is as an empty object', async () => {
    const answer = await send(ENVIRONMENTS, { method: 'POST', headers: credential });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].path).toBe('name');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('of type %s is a 415', async (type) =>
    expectProblem(await post('{"name":"edge"}', { 'content-type': type }), 415, 'unsupported_media_type'),
  );

  it('without a type is a 415', async () => {
    const answer = await send(ENVIRONMENTS, { method: 'POST', headers: credential, body: '{"name":"edge"}' });
    expectProblem(answer, 415, 'unsupported_media_type');
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.gatehouse+json'])(
    'of type %s is read',
    async (type) => {
      const answer = await post('{"name":1}', { 'content-type': type });
      expect(answer.body.error.details[0].path).toBe('name');
    },
  );

  it.each(['gzip', 'br', 'identity', 'unheard-of'])('with Content-Encoding %s is a 415', async (encoding) => {
    const answer = await post('{"name":"edge"}', { 'content-encoding': encoding });
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.body.error.message).toMatch(/Content-Encoding/);
    const upload = await send('/v1/files?name=x', {
      method: 'POST',
      headers: { ...credential, 'content-encoding': encoding },
      body: 'bytes',
    });
    expectProblem(upload, 415, 'unsupported_media_type');
  });

  it('of more than 1 MiB is a 413, with a length or in chunks', async () => {
    const body = Buffer.from(`{"name":"${'x'.repeat(1_048_576)}"}`);
    expectProblem(await post(body, { 'content-length': String(body.length) }), 413, 'payload_too_large');
    const half = body.length >> 1;
    const answer = await post([body.subarray(0, half), body.subarray(half)], {
      'transfer-encoding': 'chunked',
    });
    expectProblem(answer, 413, 'payload_too_large');
    expect(answer.headers.connection).toBe('close');
  });

  it('of just 1 MiB is read', async () => {
    const frame = '{"name":""}'.length;
    const answer = await post(`{"name":"${'x'.repeat(1_048_576 - frame)}"}`);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].path).toBe('name');
  });

  it('where none is taken is refused, unless it is empty', async () => {
    const made = await api.post(ENVIRONMENTS, { name: 'no-body' });
    const path = `${ENVIRONMENTS}/${made.body.id}`;
    const headers = { ...credential, 'content-type': 'application/json' };
    const refused = await send(path, { method: 'DELETE', headers, body: '{"force":true}' });
    expectProblem(refused, 400, 'invalid_request');
    expect(refused.body.error.details[0].path).toBe('force');
    expect((await send(path, { method: 'DELETE', headers, body: '{}' })).status).toBe(204);
  });
});

describe('a query', () => {
  it.each([
    ['an unknown parameter', '?colour=red', 'colour'],
    ['a repeated parameter', '?limit=1&limit=2', 'limit'],
    ['an empty parameter', '?limit=', 'limit'],
    ['a NUL', '?cursor=a%00b', 'cursor'],
    ['a limit of 0', '?limit=0', 'limit'],
    ['a limit of 101', '?limit=101', 'limit'],
    ['a limit with a fraction', '?limit=1.5', 'limit'],
    ['a limit that is no number', '?limit=ten', 'limit'],
    ['a limit in hexadecimal digits', '?limit=0x10', 'limit'],
    ['a limit with an exponent', '?limit=1e1', 'limit'],
    ['a limit with a blank', '?limit=%205', 'limit'],
    ['a parameter named as a member of objects', '?constructor=1', 'constructor'],
  ])('with %s is a 400 at that place', async (_, query, path) => {
    const answer = await send(ENVIRONMENTS + query, { headers: credential });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].path).toBe(path);
  });

  it('on a route that takes none is a 400', async () => {
    const answer = await api.get('/v1/workspace?verbose=1');
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].path).toBe('verbose');
  });

  it.each(['?a[b]=c', '?=1', '?limit', '?%=1'])('of %s is a 400, not a 500', async (query) =>
    expectProblem(await send(ENVIRONMENTS + query, { headers: credential }), 400, 'invalid_request'),
  );

  it.each([
    ['a lone surrogate', '?q=%ED%A0%80', 'q'],
    ['half of a character', '?q=%E0%A4', 'q'],
    ['a byte that is not UTF-8', '?q=a%ff', 'q'],
    ['a broken escape', '?q=100%', 'q'],
    ['an escape that is none', '?q=%zz', 'q'],
    ['a name that is not UTF-8', '?%ff=1', 'query'],
    ['a name with a broken escape', '?a%=1', 'query'],
    ['a NUL in a name', '?a%00=1', 'query'],
  ])('with %s is a 400 at that place', async (_, query, path) => {
    const answer = await send(`/v1/scripts${query}`, { headers: credential });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toEqual([{ path, message: expect.stringMatching(/\S/) }]);
  });

  it('may have letters of any alphabet, escaped, and blanks as `+`', async () => {
    await api.post('/v1/scripts', { slug: 'edge-query', name: 'Größe 😀 a+b' });
    const query = '?q=Gr%C3%B6%C3%9Fe+%F0%9F%98%80+a%2Bb';
    const { status, body } = await send(`/v1/scripts${query}`, { headers: credential });
    expect({ status, found: body.items?.map(({ slug }: Json) => slug) }).toEqual({
      status: 200,
      found: ['edge-query'],
    });
    expectProblem(await send('/v1/scripts?q=\xff', { headers: credential }), 400, 'invalid_request');
  });
});

describe('a cursor', () => {
  it.each([
    'x',
    'null',
    'eyJpZCI6MX0',
    Buffer.from('aaaaaaaaaaaaaaaa.env_1').toString('base64url'),
    'a'.repeat(400),
  ])('that nobody gave out (%s) is a 400 at `cursor`', async (cursor) => {
    const answer = await api.get(`${ENVIRONMENTS}?cursor=${cursor}`);
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.error.details[0].path).toBe('cursor');
  });

  it('of another workspace or list is a 400; its own goes on without a gap', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) await api.post(ENVIRONMENTS, { name });
    const all = await api.get(`${ENVIRONMENTS}?limit=100`);
    const first = await api.get(`${ENVIRONMENTS}?limit=2`);
    const second = await api.get(`${ENVIRONMENTS}?limit=100&cursor=${first.body.nextCursor}`);
    expect([...first.body.items, ...second.body.items]).toEqual(all.body.items);
    expect(second.body.nextCursor).toBeNull();

    const other = await newWorkspace();
    const stranger = client({ token: other.owner.token, workspace: other.slug });
    for (const answer of [
      await stranger.get(`${ENVIRONMENTS}?cursor=${first.body.nextCursor}`),
      await api.get(`/v1/workspace/members?cursor=${first.body.nextCursor}`),
    ]) {
      expectProblem(answer, 400, 'invalid_request');
      expect(answer.body.error.details[0].path).toBe('cursor');
    }
  });
});

describe('an address', () => {
  it('that does not exist is a 404, with and without a credential', async () => {
    for (const path of [
      '/v1/nothing',
      '/v1/workspace/',
      '/V1/workspace',
      '/nothing',
      '/v1/workspace/environments/a/b',
    ]) {
      expectProblem(await send(path), 404, 'not_found');
      expectProblem(await send(path, { headers: credential }), 404, 'not_found');
    }
  });

  it('that takes other methods is a 405 with `Allow`', async () => {
    const answer = await send(ENVIRONMENTS, { method: 'PUT', headers: credential });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD, POST');
    const one = await send(`${ENVIRONMENTS}/production`, { method: 'POST' });
    expectProblem(one, 405, 'method_not_allowed');
    expect(one.headers.allow).toBe('DELETE, GET, HEAD, PATCH');
    for (const method of ['OPTIONS', 'QUERY', 'TRACE', 'PROPFIND']) {
      expectProblem(await send('/health/live', { method }), 405, 'method_not_allowed');
    }
    const head = await send('/v1/auth/login', { method: 'HEAD' });
    expect([head.status, head.headers.allow]).toEqual([405, 'POST']);
    const literal = await send('/v1/schedules/preview', { method: 'OPTIONS', headers: credential });
    expect([literal.status, literal.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/v1/workspace/environments/%E0%A4%A', '/%', '/v1/%ff'])(
    'of %s is a 400 or 404, not a 500',
    async (path) => {
      const answer = await send(path, { headers: credential });
      expect([400, 404]).toContain(answer.status);
      expect(answer.body.error.requestId).toBe(answer.headers['x-request-id']);
    },
  );

  it('with odd characters in an id finds nothing', async () => {
    for (const id of [
      '%00',
      '%F0%9F%98%80',
      '..%2f..',
      "'%20OR%201=1",
      'x'.repeat(499),
      'x'.repeat(501),
      '%ED%A0%80',
    ]) {
      const answer = await send(`${ENVIRONMENTS}/${id}`, { headers: credential });
      expect({ id, status: answer.status }).toEqual({
        id,
        status: expect.toSatisfy((status: number) => [400, 404].includes(status)),
      });
      expect(answer.body.error.requestId).toBe(answer.headers['x-request-id']);
    }
  });
});

describe('every response', () => {
  it('has an id of its own, whatever the client sends', async () => {
    const ids = await Promise.all(
      ['/health/live', '/v1/workspace', '/v1/nothing'].map(async (path) => {
        const answer = await send(path, { headers: { ...credential, 'x-request-id': 'mine' } });
        return answer.headers['x-request-id'];
      }),
    );
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{24}$/);
  });

  it('to a credential tells the limit, whatever came of it', async () => {
    const cookie = { cookie: workspace.owner.cookie, 'x-workspace': workspace.slug };
    for (const [method, path, headers, status] of [
      ['GET', '/v1/workspace', credential, 200],
      ['HEAD', '/v1/workspace', credential, 200],
      ['GET', '/v1/workspace?verbose=1', credential, 400],
      ['GET', '/v1/workspace', { ...credential, 'x-workspace': 'nowhere' }, 403],
      ['DELETE', '/v1/workspace/environments/production', { ...cookie, origin: 'https://evil.example' }, 403],
      ['GET', '/v1/runs/run_nothing', credential, 404],
      ['GET', '/v1/nothing', credential, 404],
      ['GET', '/v1/nothing', cookie, 404],
      ['PUT', ENVIRONMENTS, credential, 405],
    ] as const) {
      const answer = await send(path, { method, headers });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers['ratelimit-policy'], path).toMatch(/^"requests";q=\d+;w=60$/);
      expect(answer.headers['ratelimit'], path).toMatch(/^"requests";r=\d+;t=\d+$/);
    }
  });

  it('of an unknown address tells whoever sends a wrong credential what is left of their failures', async () => {
    const headers = { authorization: `Bearer svc_pat_${'0'.repeat(43)}` };
    const answer = await send('/v1/nothing', { headers });
    expectProblem(answer, 404, 'not_found');
    expect(answer.headers['ratelimit-policy']).toBe('"failures";q=60;w=60');
    expect((await send('/v1/nothing')).headers).not.toHaveProperty('ratelimit-policy');
  });

  it('in JSON is kept by nobody', async () => {
    for (const [path, method, status] of [
      ['/v1/workspace', 'GET', 200],
      ['/v1/nothing', 'GET', 404],
      ['/v1/workspace/environments/%E0%A4%A', 'GET', 400],
      [ENVIRONMENTS, 'POST', 400],
      ['/v1/openapi.json', 'GET', 200],
      ['/health/live', 'GET', 200],
    ] as const) {
      const answer = await send(path, { method, headers: credential });
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, status, 'no-store']);
    }
  });

  it('to HEAD is that to GET without the body', async () => {
    const head = await send('/v1/workspace', { method: 'HEAD', headers: credential });
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers['x-request-id']).toMatch(/^req_/);
    expect((await send('/v1/workspace', { method: 'HEAD' })).status).toBe(401);
  });
});

describe('the order of checks', () => {
  it('asks who it is before it looks at the body, the query or the key', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'x'.repeat(300) };
    for (const body of ['{', Buffer.alloc(2_000_000)]) {
      const answer = await send(`${ENVIRONMENTS}?colour=red`, { method: 'POST', headers, body });
      expectProblem(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('asks what it may before it looks at the body, and at the body before the resource', async () => {
    const token = await workspace.owner.tokenWith({ scopes: ['runs:read'] });
    const limited = { ...credential, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expectProblem(
      await send(ENVIRONMENTS, { method: 'POST', headers: limited, body: '{' }),
      403,
      'forbidden',
    );
    const path = `${ENVIRONMENTS}/nowhere`;
    const headers = { ...credential, 'content-type': 'application/json' };
    expectProblem(await send(path, { method: 'PATCH', headers, body: '{"x":1}' }), 400, 'invalid_request');
    expectProblem(await send(path, { method: 'PATCH', headers, body: '{"name":"y"}' }), 404, 'not_found');
  });

  it('wants the workspace of a token named once, and no environment that is not there', async () => {
    const { authorization } = credential as { authorization: string };
    expectProblem(await send('/v1/workspace', { headers: { authorization } }), 400, 'invalid_request');
    expectProblem(
      await send('/v1/workspace', { headers: { authorization, 'x-workspace': '' } }),
      400,
      'invalid_request',
    );
    const elsewhere = await send('/v1/workspace', { headers: { ...credential, 'x-environment': 'nowhere' } });
    expectProblem(elsewhere, 400, 'invalid_request');
    expect(elsewhere.body.error.details[0].path).toBe('x-environment');
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dTpw',
    'Bearer a b',
    `Bearer svc_pat_${'0'.repeat(43)}`,
    'Bearer \xe9',
  ])('takes no credential such as «%s»', async (authorization) => {
    const answer = await send('/v1/workspace', { headers: { ...credential, authorization } });
    expectProblem(answer, 401, 'unauthorized');
  });
});

describe('what is hardly HTTP', () => {
  /** The response's status and, where it has one, its envelope. */
  function parse(text: string): { status: number; body: Json } {
    const [head = '', body = ''] = text.split('\r\n\r\n', 2);
    return { status: Number(head.split(' ')[1]), body: body.startsWith('{') ? JSON.parse(body) : null };
  }

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n'],
    ['an unknown method', 'BREW /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['a header that is none', 'GET /health/live HTTP/1.1\r\nhost: localhost\r\nno colon\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/workspaces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /v1/workspaces HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
    ['no host', 'GET /health/live HTTP/1.1\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00'],
  ])('is answered with the envelope: %s', async (_, text) => {
    const { status, body } = parse(await exchange(text));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_request', requestId: expect.stringMatching(/^req_/) });
  });

  it.each(['foo', 'x=1'])('is a 417 with the envelope where it expects %s', async (expected) => {
    const text = `POST /v1/auth/login HTTP/1.1\r\nhost: localhost\r\nexpect: ${expected}\r\ncontent-length: 2\r\n\r\n`;
    const { status, body } = parse(await exchange(text));
    expect(status).toBe(417);
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      requestId: expect.stringMatching(/^req_/),
      details: [{ path: 'expect', message: expect.stringMatching(/100-continue/) }],
    });
  });

  it('is told to go on where it expects that', async () => {
    const text = `POST /v1/auth/login HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`;
    expect(await exchange(text)).toMatch(/^HTTP\/1\.1 100 Continue/);
  });

  it('is a 431 with the envelope when its headers are huge', async () => {
    const text = `GET /health/live HTTP/1.1\r\nhost: localhost\r\nx-filler: ${'x'.repeat(20_000)}\r\n\r\n`;
    const { status, body } = parse(await exchange(text));
    expect(status).toBe(431);
    expect(body.error.code).toBe('invalid_request');
  });

  it('is served all the same: pipelined requests, HTTP/1.0', async () => {
    const request = 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n';
    expect((await exchange(request.repeat(3))).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(parse(await exchange('GET /health/live HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});
