import { execFile } from 'node:child_process';
import dgram from 'node:dgram';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostSet } from './host-set.js';
import { Inside, Outside, readAll } from './test/gate-fixture.js';
import { type Origin, startRawOrigin } from './test/origin.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

describe('attacks on the gate', { timeout: 30_000 }, () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  /** Everything that reached the host, byte by byte. */
  let reached = '';

  beforeAll(async () => {
    outside = await Outside.open();
    const credentials = outside.credentials('api.test', 'second.test', 'xn--bcher-kva.test');
    origin = await outside.keep(
      startRawOrigin(credentials, (socket) => {
        socket.on('data', (chunk: Buffer) => {
          reached += chunk.toString('latin1');
          if (/\r\n\r\n/.test(reached)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      }),
    );
  });
  beforeEach(async () => {
    reached = '';
    inside = await Inside.open(outside, origin.port, {
      declared: ['api.test', 'second.test', 'xn--bcher-kva.test'],
      secrets: [
        { name: 'KEY', hosts: new HostSet([`api.test:${origin.port}`]), header: 'X-Api-Key', value: SECRET },
      ],
      timeouts: { headersMs: 1000, handshakeMs: 1000 },
      limits: { headerBytes: 16_384, undeclaredNames: 5, connections: 40, requests: 20 },
    });
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  const host = (): string => `api.test:${origin.port}`;
  const status = (text: string): string => text.slice(9, 12);

  it('is up, and injects the secret', async () => {
    expect(status(await inside.raw('api.test', `GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`))).toBe('200');
    expect(reached).toContain(`X-Api-Key: ${SECRET}\r\n`);
  });

  it.each<[string, string, (host: string) => string]>([
    ['SNI other than Host', '421', () => 'GET / HTTP/1.1\r\nHost: second.test\r\n\r\n'],
    ['Host without the port', '421', () => 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n'],
    ['Host with another port', '421', () => 'GET / HTTP/1.1\r\nHost: api.test:1\r\n\r\n'],
    ['Host with a user', '421', (name) => `GET / HTTP/1.1\r\nHost: x@${name}\r\n\r\n`],
    ['no Host', '400', () => 'GET / HTTP/1.1\r\n\r\n'],
    ['an empty Host', '421', () => 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    ['two Hosts', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nHost: second.test\r\n\r\n`],
    ['two equal Hosts', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nhost: ${name}\r\n\r\n`],
    ['absolute form', '400', (name) => `GET https://second.test/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    [
      'absolute form of the same host',
      '400',
      (name) => `GET https://${name}/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`,
    ],
    ['asterisk form', '400', (name) => `OPTIONS * HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['CONNECT', '405', (name) => `CONNECT second.test:443 HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['CONNECT of the host itself', '405', (name) => `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['TRACE', '405', (name) => `TRACE / HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['TRACK', '405', (name) => `TRACK / HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    [
      'TE and CL',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'CL and TE',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two CL',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    ],
    ['CL list', '400', (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 5, 5\r\n\r\nhello`],
    [
      'CL with a sign',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: +5\r\n\r\nhello`,
    ],
    [
      'TE xchunked',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE gzip, chunked',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE chunked, identity',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two TE',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE with a blank before the colon',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE in HTTP/1.0',
      '400',
      (name) => `POST / HTTP/1.0\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a folded header', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\r\n b\r\n\r\n`],
    ['a folded Host', '400', (name) => `GET / HTTP/1.1\r\nHost:\r\n ${name}\r\n\r\n`],
    ['line feeds alone', '400', (name) => `GET / HTTP/1.1\nHost: ${name}\n\n`],
    ['a line feed in a header', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\nY: b\r\n\r\n`],
    [
      'a carriage return in a header',
      '400',
      (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\rY: b\r\n\r\n`,
    ],
    ['NUL in a header', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\0b\r\n\r\n`],
    ['NUL in the target', '400', (name) => `GET /\0 HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['bytes beyond ASCII in the target', '400', (name) => `GET /\xff HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['a header without a name', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\n: x\r\n\r\n`],
    ['HTTP/2.0 by name', '400', (name) => `GET / HTTP/2.0\r\nHost: ${name}\r\n\r\n`],
    ['HTTP/2 by preface', '400', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a made-up expectation', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nExpect: miracles\r\n\r\n`],
    [
      'a change to HTTP/2',
      '400',
      (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    ],
    [
      'a websocket by POST',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 4\r\n\r\nbody`,
    ],
    ['huge headers', '431', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['too many headers', '431', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\n${'a:b\r\n'.repeat(5000)}\r\n`],
    ['garbage', '405', () => '\x16\x03\x01garbage\r\n\r\n'],
  ])('refuses %s', async (_name, expected, bytes) => {
    const text = await inside.raw('api.test', bytes(host()));
    expect(status(text)).toBe(expected);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: { code: expect.any(String) as string },
    });
    expect(reached).toBe('');
    expect(inside.lines).toHaveLength(1);
    expect(inside.usedSecrets).toEqual([]);
  });

  it('keeps bytes after a refused request from becoming one', async () => {
    const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${host()}\r\n\r\n`;
    await inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    );
    await inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n${smuggled}`,
    );
    expect(reached).not.toContain('smuggled');
  });

  it('never ends a request upstream that broke off inside its body', async () => {
    await inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n`,
    );
    expect(reached).not.toMatch(/\r\n0\r\n\r\n$/);
    await inside.raw('api.test', `POST / HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 50\r\n\r\nshort`);
    expect(reached).not.toContain('GET');
  });

  it('frames bodies anew whatever Connection names', async () => {
    await inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${host()}\r\nConnection: content-length, transfer-encoding, host, x-api-key\r\nContent-Length: 5\r\n\r\nhello`,
    );
    expect(reached).toContain('Content-Length: 5\r\n');
    expect(reached).toContain(`Host: ${host()}\r\n`);
    expect(reached.match(/x-api-key/gi)).toHaveLength(1);
    expect(reached).toContain(SECRET);
  });

  it.each(['x-api-key', 'X_API_KEY', 'X-API_KEY'])('drops the script’s own %s', async (name) => {
    await inside.raw(
      'api.test',
      `GET / HTTP/1.1\r\n${name}: mine\r\nHost: ${host()}\r\n${name}: mine\r\n\r\n`,
    );
    expect(reached).not.toContain('mine');
    expect(reached).toContain(SECRET);
  });

  it('keeps the secret from the second declared host', async () => {
    await inside.raw('second.test', `GET / HTTP/1.1\r\nHost: second.test:${origin.port}\r\n\r\n`);
    expect(reached).toContain('GET / HTTP/1.1');
    expect(reached).not.toContain(SECRET);
  });

  it('refuses connections that name no server', async () => {
    const plain = await connect({ servername: '' });
    plain.write(`GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`);
    const text = await readAll(plain, 10_000, 100);
    expect(status(text)).toBe('421');
    expect(inside.lines).toEqual([expect.stringContaining('names no host')]);
  });

  it.each([
    ['a trailing dot', 'api.test.'],
    ['an underscore', 'api_x.test'],
    ['300 characters', `${'a'.repeat(60)}.`.repeat(5)],
    ['a blank', 'api .test'],
    ['upper case of something else', 'API.TEST.EVIL'],
  ])('refuses a server name with %s', async (_what, name) => {
    const outcome = await connectRaw(name);
    expect(['403', 'closed', '421']).toContain(outcome);
    expect(reached).toBe('');
  });

  it('takes a server name as equal whatever its case', async () => {
    const socket = await connect({ servername: 'API.Test' });
    socket.write(`GET / HTTP/1.1\r\nHost: ${host().toUpperCase()}\r\n\r\n`);
    expect(status(await readAll(socket, 10_000, 100))).toBe('200');
  });

  it('reaches an international name by its punycode', async () => {
    const name = `xn--bcher-kva.test:${origin.port}`;
    expect(status(await inside.raw('xn--bcher-kva.test', `GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`))).toBe(
      '200',
    );
  });

  it('does not fall for NUL in a server name', async () => {
    const hello = await clientHello('api.testXevil.test');
    const at = hello.indexOf('api.testXevil.test') + 'api.test'.length;
    hello[at] = 0;
    const socket = net.connect(inside.listenPort, '127.0.0.1');
    socket.write(hello);
    const text = await readAll(socket, 3_000);
    // An alert, and nothing that looks like a server's part of the handshake.
    expect(text.charCodeAt(0) === 0x15 || text === '').toBe(true);
  });

  it('makes certificates for only so many names that are not declared', async () => {
    const outcomes: string[] = [];
    for (let count = 0; count < 8; count += 1) outcomes.push(await connectRaw(`n${count}.evil.test`));
    expect(outcomes).toEqual(['403', '403', '403', '403', '403', 'closed', 'closed', 'closed']);
    expect(inside.lines).toHaveLength(8);
    expect(inside.lines.at(-1)).toContain('too many different hosts');
  });

  it('speaks no HTTP/2', async () => {
    await expect(connect({ ALPNProtocols: ['h2'] })).rejects.toThrow();
    expect(inside.lines.join()).toContain('speaks no HTTP/1.1');
    for (const [offer, chosen] of [
      [['h2', 'http/1.1'], 'http/1.1'],
      [['http/1.0'], 'http/1.0'],
    ] as const) {
      const socket = await connect({ ALPNProtocols: [...offer] });
      expect(socket.alpnProtocol).toBe(chosen);
      socket.destroy();
    }
  });

  it('says so when a client does not trust it, or speaks no TLS', async () => {
    const python = `import socket, ssl; ssl.create_default_context().wrap_socket(socket.create_connection(("127.0.0.1", ${inside.listenPort})), server_hostname="api.test")`;
    await expect(promisify(execFile)('python3', ['-c', python])).rejects.toThrow(/CERTIFICATE_VERIFY_FAILED/);
    await expect
      .poll(() => inside.lines.join(), { timeout: 10_000 })
      .toMatch(/api\.test.*does not trust the sandbox's certificate authority/);
    const plain = net.connect(inside.listenPort, '127.0.0.1');
    plain.write('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    await readAll(plain, 10_000, 100);
    expect(inside.lines.join()).toContain('plain HTTP');
  });

  it('resumes no session under another name', async () => {
    const first = await connect({});
    const session = await new Promise<Buffer | undefined>((resolve) => {
      first.once('session', resolve);
      setTimeout(() => resolve(undefined), 300);
      first.write(`GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`);
    });
    const second = await connect({ ...(session && { session }) });
    expect(second.isSessionReused()).toBe(false);
    first.destroy();
    second.destroy();
  });

  it('drops a slow loris', async () => {
    const socket = await inside.tls('api.test');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 100);
    socket.write(`GET / HTTP/1.1\r\nHost: ${host()}\r\n`);
    const text = await readAll(socket, 4500);
    clearInterval(drip);
    expect(status(text)).toBe('408');
    expect(reached).toBe('');
  });

  it('drops connections that are never used, without a word', async () => {
    const socket = await inside.tls('api.test');
    expect(await readAll(socket, 5000)).toBe('');
    expect(inside.lines).toEqual([]);
  });

  it('drops a slow handshake', async () => {
    const socket = net.connect(inside.listenPort, '127.0.0.1');
    const start = performance.now();
    await readAll(socket, 4000);
    expect(performance.now() - start).toBeLessThan(3000);
  });

  it('holds only so many connections, and goes on', async () => {
    const sockets = Array.from({ length: 500 }, () => net.connect(inside.listenPort, '127.0.0.1'));
    let closed = 0;
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.once('close', () => (closed += 1));
    }
    await expect.poll(() => closed, { timeout: 10_000 }).toBeGreaterThanOrEqual(460);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(
        async () =>
          status(await inside.raw('api.test', `GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`).catch(() => '')),
        { timeout: 10_000 },
      )
      .toBe('200');
    // A line for some, a count for the rest.
    expect(inside.lines.length).toBeLessThan(80);
    inside.close();
    expect(inside.lines.at(-1)).toMatch(/more lines were left out/);
  });

  it('takes only so many pipelined requests at a time', async () => {
    const silent = await outside.keep(startRawOrigin(outside.credentials('silent.test'), () => undefined));
    const own = await Inside.open(outside, silent.port, {
      declared: ['silent.test'],
      limits: { requests: 20 },
    });
    const socket = await own.tls('silent.test');
    socket.write(`GET / HTTP/1.1\r\nHost: silent.test:${silent.port}\r\n\r\n`.repeat(500));
    await expect.poll(() => silent.connections(), { timeout: 10_000 }).toBe(20);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(silent.connections()).toBe(20);
    socket.destroy();
    own.close();
  });

  it('survives a thousand random byte strings', async () => {
    const alphabet = [
      'GET ',
      '/',
      ' HTTP/1.1',
      '\r\n',
      '\n',
      'Host: ',
      host(),
      ': ',
      'Content-Length: ',
      '5',
      'chunked',
      '\0',
      '\xff',
      ' ',
      'Transfer-Encoding: ',
    ];
    for (let round = 0; round < 50; round += 1) {
      const socket = await inside.tls('api.test');
      socket.on('error', () => undefined);
      const pieces = Array.from({ length: 20 }, () => alphabet[Math.floor(Math.random() * alphabet.length)]);
      socket.end(Buffer.from(pieces.join(''), 'latin1'));
      await new Promise((resolve) => setTimeout(resolve, 2));
      socket.destroy();
    }
    const tcp = Array.from({ length: 30 }, () => net.connect(inside.listenPort, '127.0.0.1'));
    for (const socket of tcp) {
      socket.on('error', () => undefined);
      socket.end(Buffer.from(Array.from({ length: 200 }, () => Math.floor(Math.random() * 256))));
    }
    await expect
      .poll(
        async () =>
          status(await inside.raw('api.test', `GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`).catch(() => '')),
        { timeout: 10_000 },
      )
      .toBe('200');
  });

  it('closes everything', async () => {
    const socket = await inside.tls('api.test');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const udp = dgram.createSocket('udp4');
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    inside.gate.serveDns(udp);
    socket.on('error', () => undefined);
    inside.close();
    await closed;
    expect(inside.listener.listening).toBe(false);
    expect(() => udp.address() as AddressInfo).toThrow();
    expect(() => inside.gate.serve(net.createServer(), 1)).toThrow(/closed/);
  });

  function connect(options: tls.ConnectionOptions): Promise<tls.TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = tls.connect({
        ...inside.connection('api.test'),
        ...(options.servername === '' && { rejectUnauthorized: false }),
        ...options,
      });
      socket.once('secureConnect', () => resolve(socket));
      socket.on('error', reject);
    });
  }

  /** The status of a request to a name, or `closed` when there was no handshake. */
  async function connectRaw(name: string): Promise<string> {
    try {
      const socket = await connect({ servername: name, rejectUnauthorized: false });
      socket.write(`GET / HTTP/1.1\r\nHost: ${host()}\r\n\r\n`);
      return status(await readAll(socket, 10_000, 100));
    } catch {
      return 'closed';
    }
  }
});

/** The first bytes of a TLS client. */
async function clientHello(servername: string): Promise<Buffer> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bytes = await new Promise<Buffer>((resolve) => {
    server.once('connection', (socket) =>
      socket.once('data', (chunk: Buffer) => {
        resolve(chunk);
        socket.destroy();
      }),
    );
    tls
      .connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', servername })
      .on('error', () => undefined);
  });
  server.close();
  return bytes;
}
