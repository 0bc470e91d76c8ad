import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from './certificate-authority.js';
import type { GateOptions } from './gate-options.js';
import { HostSet } from './host-set.js';
import { type Received, Inside, Outside } from './test/gate-fixture.js';
import { credentialsFor, type Origin, startOrigin, startRawOrigin, startTcp } from './test/origin.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const DAY_MS = 86_400_000;

describe('hosts that fail', () => {
  let outside: Outside;
  let inside: Inside | undefined;
  beforeAll(async () => {
    outside = await Outside.open();
  });
  afterEach(() => inside?.close());
  afterAll(() => outside.close());

  async function open(port: number, options: Partial<GateOptions> = {}): Promise<Inside> {
    inside = await Inside.open(outside, port, {
      declared: ['api.test', 'gone.test', 'inner.test'],
      secrets: [
        { name: 'KEY', hosts: new HostSet([`api.test:${port}`]), header: 'X-Api-Key', value: SECRET },
      ],
      ...options,
    });
    return inside;
  }

  /** Writes these bytes to each connection once a request has come. */
  function raw(bytes: string, end = true): Promise<Origin> {
    const credentials = outside.credentials('api.test');
    return outside.keep(
      startRawOrigin(credentials, (socket) =>
        socket.once('data', () => {
          socket.write(Buffer.from(bytes, 'latin1'));
          if (end) socket.end();
        }),
      ),
    );
  }

  function explained(response: Received, status: number, code: string, words: RegExp): void {
    expect(response.status).toBe(status);
    const { error } = JSON.parse(response.text) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toMatch(words);
    expect(response.text).not.toContain(SECRET);
    expect(inside?.lines).toHaveLength(1);
    expect(inside?.lines[0]).toMatch(words);
  }

  it('a closed port', async () => {
    const origin = await startTcp(() => undefined);
    await origin.close();
    outside.credentials('api.test');
    explained(
      await (await open(origin.port)).call('api.test', '/'),
      502,
      'host_unreachable',
      /connection was refused/,
    );
    expect(inside?.usedSecrets).toEqual([]);
  });

  it('a name that does not exist', async () => {
    explained(
      await (await open(4433)).call('gone.test', '/'),
      502,
      'host_unreachable',
      /there is no such name/,
    );
  });

  it('a name server that says nothing', async () => {
    const deaf = await Outside.open();
    deaf.dns.mute();
    inside = await Inside.open(deaf, 4433, {
      declared: ['api.test'],
      dialer: deaf.dialer({ timeoutMs: 300 }),
    });
    explained(await inside.call('api.test', '/'), 504, 'upstream_timeout', /not resolved in time/);
    await deaf.close();
  });

  it('an address that is not public', async () => {
    outside.dns.records.set('inner.test', ['10.0.0.7', '192.168.1.1']);
    explained(
      await (await open(443)).call('inner.test', '/'),
      403,
      'address_refused',
      /is not public \(private\)/,
    );
    expect(inside?.lines[0]).toContain('refused');
    expect(inside?.lines[0]).not.toContain('10.0.0.7');
    expect(inside?.gate.usage()).toEqual([expect.objectContaining({ denied: 1, requests: 0 })]);
  });

  it.each<[string, (outside: Outside) => { key: string; cert: string }, RegExp]>([
    [
      'another name',
      ({ authority }) => credentialsFor(authority, { hosts: ['other.test'] }),
      /for another name/,
    ],
    [
      'the past',
      ({ authority }) =>
        credentialsFor(authority, { hosts: ['api.test'], notAfter: new Date(Date.now() - DAY_MS) }),
      /has expired/,
    ],
    [
      'the future',
      ({ authority }) =>
        credentialsFor(authority, { hosts: ['api.test'], notBefore: new Date(Date.now() + DAY_MS) }),
      /not valid yet/,
    ],
    [
      'an unknown authority',
      () => credentialsFor(new CertificateAuthority(), { hosts: ['api.test'] }),
      /authority is not trusted/,
    ],
    [
      'a like-named authority',
      () => credentialsFor(new CertificateAuthority({ name: 'Outside authority' }), { hosts: ['api.test'] }),
      /not to be trusted|handshake failed/,
    ],
    [
      'a wildcard of a neighbour',
      ({ authority }) => credentialsFor(authority, { hosts: ['*.api.test'] }),
      /for another name/,
    ],
  ])('a certificate of %s, and the secret stays', async (_what, credentials, words) => {
    outside.credentials('api.test');
    let got = '';
    const origin = await outside.keep(
      startRawOrigin(credentials(outside), (socket) =>
        socket.on('data', (chunk: Buffer) => (got += chunk.toString())),
      ),
    );
    explained(await (await open(origin.port)).call('api.test', '/'), 502, 'upstream_failed', words);
    expect(inside?.usedSecrets).toEqual([]);
    expect(got).toBe('');
  });

  it('no TLS at all', async () => {
    const origin = await outside.keep(startTcp((socket) => socket.end('SSH-2.0-hello\r\n')));
    outside.credentials('api.test');
    explained(
      await (await open(origin.port)).call('api.test', '/'),
      502,
      'upstream_failed',
      /does not speak TLS/,
    );
  });

  it('a handshake that never ends', async () => {
    const origin = await outside.keep(startTcp(() => undefined));
    outside.credentials('api.test');
    const dialer = outside.dialer({ timeoutMs: 1500 });
    explained(
      await (await open(origin.port, { dialer })).call('api.test', '/'),
      504,
      'upstream_timeout',
      /no TLS handshake in time/,
    );
  });

  it('a request that is never responded to', async () => {
    const origin = await outside.keep(startOrigin(outside.credentials('api.test'), () => undefined));
    const gate = await open(origin.port, { timeouts: { idleMs: 300 } });
    explained(await gate.call('api.test', '/'), 504, 'upstream_timeout', /sent nothing for/);
  });

  it.each<[string, string, string, RegExp]>([
    ['nothing', '', 'upstream_failed', /closed the connection/],
    ['no HTTP', 'hello there\r\n\r\n', 'unreadable_answer', /not proper HTTP/],
    ['HTTP/2', '\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64', 'unreadable_answer', /not proper HTTP/],
    ['a status of letters', 'HTTP/1.1 abc OK\r\n\r\n', 'unreadable_answer', /not proper HTTP/],
    [
      'a status of zero',
      'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n',
      'unreadable_answer',
      /not proper HTTP/,
    ],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'unreadable_answer',
      /not proper HTTP/,
    ],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde',
      'unreadable_answer',
      /not proper HTTP/,
    ],
    [
      'compressed chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      'unreadable_answer',
      /transfer encoding/,
    ],
    [
      'a status line with a control character',
      'HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n',
      'unreadable_answer',
      /not proper HTTP/,
    ],
    [
      'endless headers',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      'unreadable_answer',
      /too long/,
    ],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: evil\r\n\r\n',
      'unreadable_answer',
      /switched protocols/,
    ],
    [
      'an unknown encoding',
      'HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 3\r\n\r\nabc',
      'unreadable_answer',
      /encoded in a way/,
    ],
    [
      'the secret as encoding',
      `HTTP/1.1 200 OK\r\nContent-Encoding: ${SECRET}\r\nContent-Length: 3\r\n\r\nabc`,
      'unreadable_answer',
      /\(\*\*\*\)/,
    ],
    [
      'too many encodings',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip\r\nContent-Length: 3\r\n\r\nabc',
      'unreadable_answer',
      /encoded in a way/,
    ],
  ])('a response of %s', async (_what, bytes, code, words) => {
    const origin = await raw(bytes);
    explained(await (await open(origin.port)).call('api.test', '/'), 502, code, words);
  });

  it.each([
    ['its length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
    ['its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
    [
      'the end of its gzip',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\0',
    ],
    ['sense', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\nnot gzipped'],
  ])('a response that ends before %s breaks off for the script too', async (_what, bytes) => {
    const origin = await raw(bytes);
    const gate = await open(origin.port);
    await expect(gate.call('api.test', '/')).rejects.toThrow();
    await expect.poll(() => gate.lines).toHaveLength(1);
  });

  it('passes a response that ends with its connection', async () => {
    const origin = await raw('HTTP/1.0 200 OK\r\n\r\nall of it');
    expect(await (await open(origin.port)).call('api.test', '/')).toMatchObject({
      status: 200,
      text: 'all of it',
    });
  });
});
