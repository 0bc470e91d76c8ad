import type { Duplex } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Inside, Outside } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

const BIG = 'x'.repeat(4_000_000);

/** Several requests in one write, the last of which asks for more than a response. */
describe('pipelined requests', () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  let asked: string[] = [];
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(
        outside.credentials('api.test'),
        (req, res) => {
          asked.push(`${req.method} ${req.url}`);
          if (req.url === '/never') return;
          setTimeout(() => res.end(req.url === '/big' ? BIG : `response to ${req.url}`), 50);
        },
        (server) =>
          server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
            asked.push(`upgrade ${req.url}`);
            socket.on('error', () => undefined);
            socket.write(
              'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
            );
            socket.on('data', (chunk: Buffer) => socket.write(chunk));
          }),
      ),
    );
  });
  beforeEach(async () => {
    asked = [];
    inside = await Inside.open(outside, origin.port, { declared: ['api.test'], limits: { requests: 4 } });
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  const host = (): string => `Host: api.test:${inside.port}\r\n`;
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${host()}\r\n`;
  const upgrade = (protocol: string, more = ''): string =>
    `GET /socket HTTP/1.1\r\n${host()}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`;
  const connect = (): string => `CONNECT api.test:443 HTTP/1.1\r\n${host()}\r\n`;
  const stillWorks = async (): Promise<void> => {
    expect(await inside.raw('api.test', get('/after'))).toContain('response to /after');
  };

  it.each([
    ['a websocket that is none', () => upgrade('h2c'), 'HTTP/1.1 400'],
    [
      'a websocket with a body',
      () => upgrade('websocket', 'Content-Length: 5\r\n') + 'abcde',
      'HTTP/1.1 400',
    ],
    ['a tunnel', connect, 'HTTP/1.1 405'],
  ])('get their responses in order when the last asks for %s', async (_, last, status) => {
    const text = await inside.raw('api.test', get('/one') + get('/two') + last(), 3);
    const order = ['response to /one', 'response to /two', status].map((part) => text.indexOf(part));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(asked.sort()).toEqual(['GET /one', 'GET /two']);
    await stillWorks();
  });

  it('open a websocket once the responses before it are through', async () => {
    const socket = await inside.tls('api.test');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(get('/one') + get('/two') + upgrade('websocket') + 'first words');
    await expect.poll(() => text).toMatch(/response to \/one.*response to \/two.*101 Sw.*first words$/s);
    expect(asked.slice(0, 2).sort()).toEqual(['GET /one', 'GET /two']);
    expect(asked[2]).toBe('upgrade /socket');
    socket.destroy();
  });

  it('pass a long response on that has to wait for its reader', async () => {
    const socket = await inside.tls('api.test');
    socket.pause();
    let length = 0;
    socket.on('data', (chunk: Buffer) => (length += chunk.length)).pause();
    socket.write(get('/big') + upgrade('h2c'));
    await expect.poll(() => asked).toEqual(['GET /big']);
    setTimeout(() => socket.resume(), 300);
    await expect.poll(() => length).toBeGreaterThan(BIG.length);
    await expect.poll(() => socket.destroyed).toBe(true);
    await stillWorks();
  });

  it.each([
    ['an upgrade', () => upgrade('websocket')],
    ['a tunnel', connect],
    ['another request', () => get('/more')],
  ])('are forgotten with their connection, %s included', async (_, last) => {
    // Each would take two of the four places for good.
    for (let round = 0; round < 3; round++) {
      const socket = await inside.tls('api.test');
      asked = [];
      socket.write(get('/never') + get('/never') + last());
      await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2);
      socket.destroy();
    }
    await expect.poll(() => inside.raw('api.test', get('/after'))).toContain('response to /after');
  });

  it('are not read any further after one that cannot be trusted', async () => {
    const smuggling = `POST /x HTTP/1.1\r\n${host()}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    const twoHosts = `GET /x HTTP/1.1\r\n${host()}${host()}\r\n`;
    for (const bad of [smuggling, twoHosts]) {
      const text = await inside.raw('api.test', bad + get('/smuggled') + upgrade('websocket'));
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    }
    expect(asked).toEqual([]);
    await stillWorks();
  });
});
