import { networkInterfaces } from 'node:os';

import { describe, expect, it } from 'vitest';

import { baseUrl, newWorkspace } from '../support/gatehouse.js';
import { exchange, send } from '../support/raw-http.js';

const MISDIRECTED = [421, 'misdirected_request'];

/** What a page of another site would read that has made its own name point to this machine (DNS rebinding). */
const PATHS = [
  '/metrics',
  '/health/live',
  '/v1/openapi.json',
  '/docs',
  '/',
  '/sign-in',
  '/assets/nothing.js',
  '/.well-known/oauth-authorization-server',
  '/oauth/authorize',
  '/mcp',
  '/v1/workspace/events/stream',
];

async function statusAndCode(path: string, headers: Record<string, string>, method = 'GET') {
  const { status, body } = await send(path, { method, headers });
  return [status, body.error?.code];
}

/** The first line of a response to bytes as they are. */
const answerTo = async (target: string, ...hosts: string[]): Promise<string> => {
  const lines = hosts.map((host) => `host: ${host}\r\n`).join('');
  return (await exchange(`GET ${target} HTTP/1.1\r\n${lines}connection: close\r\n\r\n`)).split('\r\n')[0]!;
};

describe('a page of another site that has made its own name point here', () => {
  it.each(PATHS)('reads nothing: %s', async (path) => {
    expect(await statusAndCode(path, { host: 'evil.example' })).toEqual(MISDIRECTED);
    const port = new URL(baseUrl()).port;
    expect(await statusAndCode(path, { host: `evil.example:${port}` })).toEqual(MISDIRECTED);
  });

  it('signs nobody in and acts for nobody, though it is of the same origin then', async () => {
    const { owner, slug } = await newWorkspace();
    const own = { host: 'evil.example', origin: 'http://evil.example', 'x-workspace': slug };
    const login = { ...own, 'content-type': 'application/json' };
    expect(await statusAndCode('/v1/auth/login', login, 'POST')).toEqual(MISDIRECTED);
    expect(await statusAndCode('/v1/workspace', { ...own, cookie: owner.cookie }, 'DELETE')).toEqual(
      MISDIRECTED,
    );
    const token = { ...own, authorization: `Bearer ${owner.token}` };
    expect(await statusAndCode('/v1/workspace', token)).toEqual(MISDIRECTED);
  });

  it('is not let in by a header that only a proxy writes', async () => {
    const { hostname } = new URL(baseUrl());
    for (const name of ['x-forwarded-host', 'x-host', 'forwarded', 'x-original-host']) {
      const headers = { host: 'evil.example', [name]: name === 'forwarded' ? `host=${hostname}` : hostname };
      expect(await statusAndCode('/v1/openapi.json', headers), name).toEqual(MISDIRECTED);
    }
    const behind = await send('/v1/openapi.json', { headers: { 'x-forwarded-host': 'evil.example' } });
    expect(behind.status).toBe(200);
    expect(JSON.stringify(behind.body)).not.toContain('evil.example');
  });

  it('cannot hide behind a second host, the first line of the request, or another spelling', async () => {
    expect(await answerTo('/health/live', 'localhost', 'evil.example')).toContain(' 400 ');
    expect(await answerTo('/health/live', 'localhost', 'localhost')).toContain(' 400 ');
    expect(await answerTo('http://evil.example/health/live', 'localhost')).toContain(' 421 ');
    expect(await answerTo('http://localhost/health/live', 'evil.example')).toContain(' 421 ');
    for (const host of ['localhost.evil.example', 'evil.example#localhost', 'evil@localhost', 'local host']) {
      expect(await answerTo('/health/live', host), host).toMatch(/ (400|421) /);
    }
  });

  it('is told what is wrong as with every error', async () => {
    const { headers, body } = await send('/v1/runs', { headers: { host: 'evil.example' } });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': body.error.requestId });
    expect(body.error.docs).toBe(`${baseUrl()}/docs/errors#misdirected_request`);
    expect(body.error.message).toContain('GATEHOUSE_HOSTS');
  });
});

describe('whoever means this machine', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

  it.each([
    'localhost',
    'LOCALHOST:8080',
    'localhost.:1',
    '127.0.0.1:3000',
    '127.1.2.3',
    '[::1]:3000',
    ...own,
  ])('is answered: %s', async (host) =>
    expect((await send('/health/live', { headers: { host } })).status).toBe(200),
  );

  it('is answered when the first line of the request says so, or HTTP is older than the header', async () => {
    expect(await answerTo('http://localhost/health/live', 'localhost')).toContain(' 200 ');
    expect(await exchange('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.[01] 200 /);
  });
});
