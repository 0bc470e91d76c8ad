import { createHash } from 'node:crypto';
import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HostSet } from './host-set.js';
import { Inside, Outside, read } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const ACCEPT = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

describe('websockets', () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  let asked: http.IncomingHttpHeaders = {};
  let hostSocket: Duplex | undefined;
  beforeAll(async () => {
    outside = await Outside.open();
    const refuse: http.RequestListener = (_req, res) =>
      res.writeHead(403, { 'x-key': SECRET }).end(`no, ${SECRET}`);
    origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), refuse, (server) =>
        server.on('upgrade', (req: http.IncomingMessage, socket: Duplex, head: Buffer) => {
          asked = req.headers;
          hostSocket = socket;
          socket.on('error', () => undefined);
          if (req.url === '/refused') {
            const body = `no, ${SECRET}`.repeat(50_000);
            return void socket.end(
              `HTTP/1.1 403 Forbidden\r\nX-Key: ${SECRET}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
            );
          }
          const lines = [
            'HTTP/1.1 101 Switching Protocols',
            'Connection: Upgrade',
            'Upgrade: websocket',
            `Sec-WebSocket-Accept: ${ACCEPT}`,
            `X-Key: ${SECRET}`,
          ];
          socket.write(`${lines.join('\r\n')}\r\n\r\nfirst,`);
          socket.write(head);
          socket.on('data', (chunk: Buffer) => socket.write(chunk));
          socket.on('end', () => socket.end());
        }),
      ),
    );
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  async function open(): Promise<void> {
    inside = await Inside.open(outside, origin.port, {
      declared: ['api.test', 'down.test'],
      secrets: [
        {
          name: 'KEY',
          hosts: new HostSet([`api.test:${origin.port}`]),
          header: 'Authorization',
          value: SECRET,
        },
      ],
    });
  }

  function upgrade(
    path: string,
    host = 'api.test',
  ): Promise<{ res: http.IncomingMessage; socket: Duplex | null; head: Buffer }> {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'WebSocket',
      'sec-websocket-key': KEY,
      'sec-websocket-version': '13',
    };
    const req = inside.request(host, path, { headers });
    return new Promise((resolve, reject) => {
      req.on('upgrade', (res, socket, head) => {
        socket.resume().on('error', () => undefined);
        resolve({ res, socket, head });
      });
      req.on('response', (res) => resolve({ res, socket: null, head: Buffer.alloc(0) }));
      req.on('error', reject);
      req.end();
    });
  }

  it('pass, with the secret attached, and say that messages are not searched', async () => {
    await open();
    const { res, socket, head } = await upgrade('/');
    expect(res.headers).toMatchObject({
      'sec-websocket-accept': ACCEPT,
      upgrade: 'websocket',
      'x-key': '***',
    });
    expect(asked).toMatchObject({ authorization: SECRET, 'sec-websocket-key': KEY, connection: 'Upgrade' });
    let text = head.toString();
    socket?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket?.write('hello');
    await expect.poll(() => text).toBe('first,hello');
    const big = 'x'.repeat(1_000_000);
    socket?.write(big);
    await expect.poll(() => text.length).toBe('first,hello'.length + big.length);
    expect(inside.lines).toEqual([expect.stringContaining('not searched for secrets')]);
    socket?.end();
    await expect.poll(() => hostSocket?.destroyed).toBe(true);
    const [usage] = inside.gate.usage();
    expect(usage?.requests).toBe(1);
    expect(usage?.bytesOut).toBeGreaterThan(1_000_000);
  });

  it('are closed on one side when the other side goes', async () => {
    await open();
    const { socket } = await upgrade('/');
    hostSocket?.destroy();
    await expect.poll(() => socket?.destroyed).toBe(true);
    const other = await upgrade('/');
    other.socket?.destroy();
    await expect.poll(() => hostSocket?.destroyed).toBe(true);
  });

  it('that the host refuses get its words, masked', async () => {
    await open();
    const { res } = await upgrade('/refused');
    const response = await read(res);
    expect(response).toMatchObject({ status: 403, headers: { 'x-key': '***' } });
    expect(response.text).toBe('no, ***'.repeat(50_000));
  });

  it('to a host that is down get a readable response', async () => {
    await open();
    const { res } = await upgrade('/', 'down.test');
    expect(await read(res)).toMatchObject({
      status: 502,
      text: expect.stringContaining('no such name') as string,
    });
    expect(inside.lines).toHaveLength(1);
    const undeclared = await upgrade('/', 'evil.test');
    expect(undeclared.res.statusCode).toBe(403);
  });

  it('end with the gate', async () => {
    await open();
    const { socket } = await upgrade('/');
    inside.close();
    await expect.poll(() => socket?.destroyed && hostSocket?.destroyed).toBe(true);
  });
});
