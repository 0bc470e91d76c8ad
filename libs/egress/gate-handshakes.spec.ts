import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AttackedGate, status } from './test/attacked-gate.js';
import { readAll } from './test/gate-fixture.js';

describe('handshakes with the gate', () => {
  const scene = AttackedGate.forEach();

  it('refuses connections that name no server', async () => {
    const plain = await connect({ servername: '' });
    plain.write(`GET / HTTP/1.1\r\nHost: ${scene.host()}\r\n\r\n`);
    const text = await readAll(plain, 10_000, 100);
    expect(status(text)).toBe('421');
    expect(scene.inside.lines).toEqual([expect.stringContaining('names no host')]);
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
    expect(scene.reached).toBe('');
  });

  it('takes a server name as equal whatever its case', async () => {
    const socket = await connect({ servername: 'API.Test' });
    socket.write(`GET / HTTP/1.1\r\nHost: ${scene.host().toUpperCase()}\r\n\r\n`);
    expect(status(await readAll(socket, 10_000, 100))).toBe('200');
  });

  it('reaches an international name by its punycode', async () => {
    const name = `xn--bcher-kva.test:${scene.origin.port}`;
    expect(
      status(await scene.inside.raw('xn--bcher-kva.test', `GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`)),
    ).toBe('200');
  });

  it('does not fall for NUL in a server name', async () => {
    const hello = await clientHello('api.testXevil.test');
    const at = hello.indexOf('api.testXevil.test') + 'api.test'.length;
    hello[at] = 0;
    const socket = net.connect(scene.inside.listenPort, '127.0.0.1');
    socket.write(hello);
    const text = await readAll(socket, 3_000);
    // An alert, and nothing that looks like a server's part of the handshake.
    expect(text.charCodeAt(0) === 0x15 || text === '').toBe(true);
  });

  it('makes certificates for only so many names that are not declared', async () => {
    const outcomes: string[] = [];
    for (let count = 0; count < 8; count += 1) outcomes.push(await connectRaw(`n${count}.evil.test`));
    expect(outcomes).toEqual(['403', '403', '403', '403', '403', 'closed', 'closed', 'closed']);
    expect(scene.inside.lines).toHaveLength(8);
    expect(scene.inside.lines.at(-1)).toContain('too many different hosts');
  });

  it('speaks no HTTP/2', async () => {
    await expect(connect({ ALPNProtocols: ['h2'] })).rejects.toThrow();
    expect(scene.inside.lines.join()).toContain('speaks no HTTP/1.1');
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
    const python = `import socket, ssl; ssl.create_default_context().wrap_socket(socket.create_connection(("127.0.0.1", ${scene.inside.listenPort})), server_hostname="api.test")`;
    await expect(promisify(execFile)('python3', ['-c', python])).rejects.toThrow(/CERTIFICATE_VERIFY_FAILED/);
    await expect
      .poll(() => scene.inside.lines.join())
      .toMatch(/api\.test.*does not trust the sandbox's certificate authority/);
    const plain = net.connect(scene.inside.listenPort, '127.0.0.1');
    plain.write('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    await readAll(plain, 10_000, 100);
    expect(scene.inside.lines.join()).toContain('plain HTTP');
  });

  it('resumes no session under another name', async () => {
    const first = await connect({});
    const session = await new Promise<Buffer | undefined>((resolve) => {
      first.once('session', resolve);
      setTimeout(() => resolve(undefined), 300);
      first.write(`GET / HTTP/1.1\r\nHost: ${scene.host()}\r\n\r\n`);
    });
    const second = await connect({ ...(session && { session }) });
    expect(second.isSessionReused()).toBe(false);
    first.destroy();
    second.destroy();
  });

  function connect(options: tls.ConnectionOptions): Promise<tls.TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = tls.connect({
        ...scene.inside.connection('api.test'),
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
      socket.write(`GET / HTTP/1.1\r\nHost: ${scene.host()}\r\n\r\n`);
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
