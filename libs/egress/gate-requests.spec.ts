import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GateRequest, MOST_REQUESTS_TOLD } from './gate-requests.js';
import { Inside, Outside } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

describe('the requests at a gate, one by one', () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  let told: GateRequest[];

  beforeAll(async () => {
    outside = await Outside.open();
    const respond: http.RequestListener = (req, res) => {
      if (req.url !== '/hangs') res.writeHead(req.url === '/missing' ? 404 : 200).end('words of the host');
    };
    origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), respond, (server) =>
        server.on('upgrade', (req: http.IncomingMessage, socket: Duplex) => {
          socket.on('error', () => undefined).on('end', () => socket.end());
          const status = req.url === '/refused' ? '403 Forbidden' : '101 Switching Protocols';
          socket.write(
            `HTTP/1.1 ${status}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n`,
          );
        }),
      ),
    );
  });
  beforeEach(async () => {
    told = [];
    inside = await Inside.open(outside, origin.port, {
      declared: ['api.test', '*.wild.test'],
      rules: [{ host: `*.wild.test:${origin.port}`, methods: ['GET'], paths: null }],
      onRequest: (request) => told.push(request),
    });
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  const untilTold = (count: number): Promise<void> => expect.poll(() => told.length).toBe(count);

  function upgrade(path: string): Promise<Duplex | null> {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    };
    const req = inside.request('api.test', path, { headers });
    return new Promise((resolve, reject) => {
      req.on('upgrade', (_, socket) => resolve(socket.on('error', () => undefined)));
      req.on('response', (res) => resolve(res.resume() && null));
      req.on('error', reject);
      req.end();
    });
  }

  it('are told of with host, method and status, and nothing else of them', async () => {
    const from = Date.now();
    await inside.call('api.test', '/secret-path?secret-query', { headers: { 'x-own': 'secret-header' } });
    await inside.call('api.test', '/missing', { method: 'POST', body: 'secret-body' });
    await inside.call('secret.wild.test', '/', { method: 'DELETE' });
    await inside.call('secret.evil.test', '/');
    await untilTold(4);
    const host = `api.test:${origin.port}`;
    expect(told).toMatchObject([
      { host, method: 'GET', status: 200, refused: false },
      { host, method: 'POST', status: 404, refused: false },
      { host: `*.wild.test:${origin.port}`, method: 'DELETE', status: 403, refused: true },
      { host: null, method: 'GET', status: 403, refused: true },
    ]);
    for (const { at, durationMs } of told) {
      expect(at).toBeGreaterThanOrEqual(from);
      expect(Date.now() + 1).toBeGreaterThanOrEqual(at + durationMs);
    }
    expect(JSON.stringify(told)).not.toMatch(/secret|words/);
  });

  it('are told of once they are over, a websocket when it is closed', async () => {
    const socket = await upgrade('/');
    expect(await upgrade('/refused')).toBeNull();
    await untilTold(1);
    expect(told[0]).toMatchObject({ method: 'GET', status: 403, refused: false });
    socket!.destroy();
    await untilTold(2);
    expect(told[1]).toMatchObject({ method: 'GET', status: 101, refused: false });
  });

  it('are told of when the gate closes before their response, once', async () => {
    const response = inside.call('api.test', '/hangs').catch(() => null);
    await expect.poll(() => inside.gate.usage()[0]?.requests).toBe(1);
    inside.close();
    expect(told).toMatchObject([{ host: `api.test:${origin.port}`, status: null, refused: false }]);
    await response;
    expect(told).toHaveLength(1);
  });

  it('are only counted where there are many', async () => {
    for (let round = 0; round < MOST_REQUESTS_TOLD / 16 + 1; round++) {
      await Promise.all(Array.from({ length: 16 }, () => inside.call('api.test', '/')));
    }
    expect(told).toHaveLength(MOST_REQUESTS_TOLD);
    expect(inside.gate.usage()[0]?.requests).toBe(MOST_REQUESTS_TOLD + 16);
  });
});
