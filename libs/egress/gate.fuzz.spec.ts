import type http from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fuzz } from '../fuzz/index.js';
import { HostSet } from './host-set.js';
import { Inside, Outside, readAll } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

const SECRET = 'sk_live_9fQ2mXw7Lr4TzB1cVn8K';
const QUIET_MS = 300;
const RESPONDED_MS = 10;

/** What a script may write on its connection: whole requests, broken ones, and several of them at once. */
const often = <T>(usual: T[], rare: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 24, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
const method = often(['GET', 'POST', 'HEAD', 'OPTIONS'], ['get', 'CONNECT', 'TRACE', 'PRI', 'G\tT']);
const target = often(
  ['/ID', '/ID/a?b=c'],
  ['*', '//second.test/ID', 'https://second.test/ID', '/ID%00', '/ID\x01', '/ID a', ''],
);
const version = often(['HTTP/1.1'], ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'HTTP']);
const lineEnd = often(['\r\n'], ['\n', '\r', '\r\n ', '']);
const header = often(
  [
    ...[
      'X-Api-Key: guess',
      'Connection: x-api-key',
      'Connection: keep-alive',
      'Expect: 100-continue',
      'TE: trailers',
    ],
    ...[
      'Connection: upgrade',
      'Upgrade: websocket',
      'Upgrade: h2c',
      'Trailer: X-Api-Key',
      'Range: bytes=0-1',
    ],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13', 'Accept-Encoding: gzip'],
  ],
  [
    ...[
      'Host: second.test',
      'x-api-key : guess',
      'Transfer-Encoding: xchunked',
      'Content-Length: -1',
      'X-Nul: \0',
    ],
    ...[': empty', 'no colon', 'Connection: close', 'Proxy-Authorization: x'],
  ],
);
/** A body with the header that frames it, or with one that lies. */
const framed = often(
  [
    ['', ''],
    ['Upgrade: websocket\r\nConnection: upgrade\r\n', ''],
    ['Content-Length: 5\r\n', 'hello'],
    ['Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\nX-Api-Key: t\r\n\r\n'],
  ],
  [
    ['Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['Content-Length: 900\r\n', 'short'],
    ['Transfer-Encoding: chunked\r\n', 'ffffffffff\r\n'],
    ['', '\x81\x85'],
  ],
);
const request = fc
  .tuple(method, target, version, fc.array(fc.tuple(header, lineEnd), { maxLength: 3 }), framed, lineEnd)
  .map(([verb, path, http, headers, [framing, content], end]) =>
    [`${verb} ${path} ${http}\r\nHost: HOST\r\n`, ...headers.flat(), framing, end, content].join(''),
  );
/** Written in one piece or cut anywhere. */
const conversation = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 4 }),
  cuts: fc.array(fc.nat(600), { maxLength: 3 }),
});

describe('the HTTP parser of the gate, fuzzed', { timeout: 120_000 }, () => {
  let outside: Outside;
  let origin: Origin;
  let inside: Inside | undefined;
  const reached: http.IncomingMessage[] = [];

  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('api.test', 'second.test'), (req, res) => {
        reached.push(req);
        req.resume();
        res.setHeader('x-seen', String(req.headers['x-api-key']));
        res.end(`seen ${String(req.headers['x-api-key'])}`);
      }),
    );
  });
  afterEach(() => inside?.close());
  afterAll(() => outside.close());

  it('sends on only what may go, never shows the secret, and goes on', async () => {
    const host = `api.test:${origin.port}`;
    inside = await Inside.open(outside, origin.port, {
      declared: ['api.test', 'second.test'],
      secrets: [{ name: 'KEY', hosts: new HostSet([host]), header: 'X-Api-Key', value: SECRET }],
      timeouts: { headersMs: 200, handshakeMs: 1_000, idleMs: 200 },
      limits: { connectionsPerSecond: 100_000, connections: 1_000 },
    });
    const gate = inside;
    let count = 0;
    let sentOn = 0;
    await fuzz(
      'HTTP parser of the gate',
      fc.asyncProperty(conversation, async ({ requests, cuts }) => {
        const id = `n${count++}n`;
        const text = requests.join('').replaceAll('HOST', host).replaceAll('ID', id);
        const response = await talk(gate, text, cuts);
        expect(response).not.toContain(SECRET);
        for (const { method, url, headers, rawHeaders } of reached) {
          expect(headers.host).toBe(host);
          expect(headers['x-api-key']).toBe(SECRET);
          expect(rawHeaders.filter((name) => name.toLowerCase() === 'x-api-key')).toHaveLength(1);
          expect(['CONNECT', 'TRACE', 'TRACK']).not.toContain(method);
          expect(url).toMatch(/^\/(?:[!-~]*)$/);
        }
        // No request can be hidden in another one: none is sent on that was not written.
        const own = reached.filter(({ url }) => url?.includes(id));
        expect(own.length).toBeLessThanOrEqual(text.split(id).length - 1);
        sentOn += own.length;
      }),
      { runs: 150 },
    );
    expect(sentOn).toBeGreaterThan(0);
    await expect.poll(async () => (await gate.call('api.test', '/')).text).toBe('seen ***');
  });

  async function talk(gate: Inside, text: string, cuts: number[]): Promise<string> {
    const socket = await gate.tls('api.test');
    const bytes = Buffer.from(text, 'latin1');
    const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
      (one, other) => one - other,
    );
    let begin = 0;
    for (const place of places) {
      socket.write(bytes.subarray(begin, place));
      begin = place;
    }
    return readAll(socket, QUIET_MS, RESPONDED_MS);
  }
});
