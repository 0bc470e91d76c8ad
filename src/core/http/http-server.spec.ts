import { type Server, Agent, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import type { Express, Request } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Settings } from '../config/index.js';
import { HttpServer } from './http-server.js';

let server: HttpServer;
let app: Express;
let port: number;
const agent = new Agent({ keepAlive: true });

beforeEach(async () => {
  server = new HttpServer(new Settings({ GATEHOUSE_TRUST_PROXY: '127.0.0.0/8' }));
  server.initHttpServer();
  app = server.getInstance<Express>();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  port = ((server.getHttpServer() as Server).address() as AddressInfo).port;
});

afterEach(async () => {
  await server.close();
  agent.destroy();
});

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((done, fail) =>
    send({ host: '127.0.0.1', port, path, headers, agent }, done).on('error', fail).end(),
  );
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('what a handler returns', () => {
  it.each([
    [Buffer.from([1, 2]), 'application/octet-stream', '\x01\x02'],
    [{ a: 'ü' }, 'application/json; charset=utf-8', '{"a":"ü"}'],
    ['text', 'text/plain; charset=utf-8', 'text'],
    [undefined, undefined, ''],
  ])('%s is sent as %s', async (value, type, body) => {
    app.get('/', (_, response) => void server.reply(response, value, 200));
    // Express would respond 304 to anything that a client claims to have.
    const response = await get('/', { 'if-none-match': '*' });
    expect(response).toMatchObject({ status: 200, body });
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(response.headers).not.toHaveProperty('etag');
    expect(response.headers).not.toHaveProperty('x-powered-by');
  });
});

describe('a request', () => {
  it('is taken at its exact path only', async () => {
    app.get('/v1/things', (_, response) => void server.reply(response, 'here'));
    app.use((_, response) => void server.reply(response, 'elsewhere', 404));
    expect((await get('/v1/things')).status).toBe(200);
    for (const path of ['/v1/things/', '/V1/things']) expect((await get(path)).status, path).toBe(404);
  });

  it('has its own prototype from birth', async () => {
    const born = new Promise<object>((done) =>
      (server.getHttpServer() as Server).prependListener('request', (request) =>
        done(Object.getPrototypeOf(request) as object),
      ),
    );
    const used = new Promise<Request>((done) =>
      app.get('/', (request, response) => {
        done(request);
        response.end();
      }),
    );
    await get('/?a=%C3%BC');
    expect(Object.getPrototypeOf(await used)).toBe(await born);
    expect({ ...(await used).query }).toEqual({ a: 'ü' });
  });

  it('comes from where a trusted proxy says', async () => {
    app.get('/', ({ ip }, response) => void server.reply(response, ip));
    expect((await get('/', { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' })).body).toBe('203.0.113.9');
  });

  it('whose address has no path gets the envelope', async () => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.end('GET http://[ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    );
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('"code":"invalid_request"');
  });
});

describe('closing', () => {
  it('lets go of idle connections, and of the others once they have their responses', async () => {
    let finish = (): void => undefined;
    const begun = new Promise<void>((done) =>
      app.get('/slow', (_, response) => {
        finish = () => void server.reply(response, 'whole');
        done();
      }),
    );
    app.get('/', (_, response) => void server.reply(response, 'idle now'));
    await get('/');
    const slow = get('/slow');
    await begun;
    let isClosed = false;
    const closing = server.close().then(() => (isClosed = true));
    await expect(get('/')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
    expect(isClosed).toBe(false);
    finish();
    expect((await slow).body).toBe('whole');
    // Far sooner than a connection that is kept alive would end by itself.
    await closing;
  });
});
