import { CertificateAuthority } from '../../libs/egress/index.js';
import type { TLSSocket } from 'node:tls';

import { beforeAll, describe, expect, it } from 'vitest';

import { type Json, freePort } from '../../libs/testing/index.js';
import type { Identity } from '../support/upstream.js';
import { type TestScript, archiveOf, finished, runUntil } from '../support/scripts.js';
import { eventually } from './support/attack.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
const SECRET = 'sk_live_never_sent_77';
const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Fetches from the port in its inputs. */
const FETCH = 'print(json.dumps(get(inputs()["port"])))';

async function fetching(port: number, more: Record<string, unknown> = {}): Promise<TestScript> {
  await attacker.secret('API_KEY', SECRET, [`localhost:${port}`]);
  return attacker.script(FETCH, {
    hosts: [`localhost:${port}`],
    secrets: { API_KEY: { header: 'x-key', host: `localhost:${port}` } },
    ...more,
  });
}

async function fetchFrom(port: number, more?: Record<string, unknown>): Promise<{ end: Json; log: string }> {
  const end = await attacker.run(await fetching(port, more), { port });
  return { end, log: await attacker.log(end.id) };
}

/** What a host hears in the clear, whatever it is. */
function listening(): { bytes: () => string; onSocket: (socket: TLSSocket) => void } {
  let bytes = '';
  return {
    bytes: () => bytes,
    onSocket: (socket) => socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1'))),
  };
}

describe('a certificate that does not vouch for the host is a 502, and the secret is never sent', () => {
  it.each<[string, Identity, RegExp]>([
    ['for another name', { names: ['elsewhere.example'] }, /for another name/],
    ['for a wildcard beside it', { names: ['*.localhost'] }, /for another name/],
    ['expired', { notBefore: ago(30), notAfter: ago(1) }, /expired/],
    ['not valid yet', { notBefore: ago(-1), notAfter: ago(-30) }, /not valid yet/],
    ["of an authority that is nobody's", { authority: new CertificateAuthority() }, /not (?:to be )?trusted/],
  ])('%s', async (_, identity, reason) => {
    const { bytes, onSocket } = listening();
    const port = await attacker.upstreams.startTls(onSocket, identity);
    const { end, log } = await fetchFrom(port);
    expect(end.output.status).toBe(502);
    expect(end.output.text).toMatch(reason);
    expect(log).toMatch(reason);
    expect(log).toContain(`gate: a request to localhost:${port} failed`);
    expect(bytes()).toBe('');
    const secret = (await attacker.api.get('/v1/workspace/secrets/API_KEY')).body;
    expect(secret.values[0].lastUsedAt).toBeNull();
  });
});

describe('an upstream that is not what it should be gets a readable answer and a line in the log', () => {
  const answering =
    (bytes: string, then?: (socket: TLSSocket) => void) =>
    (socket: TLSSocket): void =>
      void socket.once('data', () => socket.write(Buffer.from(bytes, 'latin1'), () => then?.(socket)));
  const end = (socket: TLSSocket): void => void socket.end();

  /** The run of a script that waits for a handshake without end: ten seconds, beside the other tests. */
  let handshake: string;
  beforeAll(async () => {
    const port = await attacker.upstreams.startTcp(() => undefined);
    const script = await attacker.script(
      `
s = connect(${port}, timeout=20); s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n\\r\\n"); print(json.dumps([read(s).decode()]))`,
      { hosts: [`localhost:${port}`], timeout: 40 },
    );
    handshake = await attacker.begin(script);
  });

  it('down: 502', async () => {
    const { end: run, log } = await fetchFrom(await freePort());
    expect(run.output.status).toBe(502);
    expect(run.output.text).toContain('the connection was refused');
    expect(log).toContain('the connection was refused');
  });

  it('without TLS: 502', async () => {
    const port = await attacker.upstreams.startTcp(
      (socket) => void socket.once('data', () => socket.end('hello\r\n')),
    );
    const { end: run, log } = await fetchFrom(port);
    expect(run.output.status).toBe(502);
    expect(log).toContain('does not speak TLS');
  });

  it.each<[string, string, RegExp]>([
    ['garbage', 'garbage\r\n\r\n', /not proper HTTP/],
    ['nothing, and gone', '', /closed the connection/],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-', /closed the connection|not proper HTTP/],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /not proper HTTP/],
    [
      'TE and CL',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /not proper HTTP/,
    ],
    [
      'another transfer coding',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\nx',
      /transfer encoding/,
    ],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
      /switched protocols/,
    ],
    [
      'a head without end',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(200_000)}`,
      /headers of its response are too long/,
    ],
    ['HTTP/2', '\0\0\0\x04\0\0\0\0\0', /not proper HTTP/],
  ])('answers %s: 502', async (_, bytes, reason) => {
    const port = await attacker.upstreams.startTls(answering(bytes, end));
    const { end: run, log } = await fetchFrom(port);
    expect(run.output.status).toBe(502);
    expect(log).toMatch(reason);
    expect(run.output.text).not.toContain(SECRET);
  });

  it('breaks off in the body: the script sees that it is not whole', async () => {
    const port = await attacker.upstreams.startTls(
      answering('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this', (socket) => socket.destroy()),
    );
    await attacker.secret('API_KEY', SECRET, [`localhost:${port}`]);
    const run = await attacker.attempt(
      `
import http.client, urllib.request
try: print(json.dumps({"body": urllib.request.urlopen("https://localhost:${port}/").read().decode()}))
except (http.client.IncompleteRead, ConnectionError) as e: print(json.dumps({"error": type(e).__name__}))`,
      { hosts: [`localhost:${port}`] },
    );
    expect(run.output).toHaveProperty('error');
    expect(await attacker.log(run.id)).toContain('closed the connection before its response was complete');
  });

  it('stalls: 504, before the script runs out of time itself', async () => {
    const port = await attacker.upstreams.startTls(() => undefined);
    const { end: run, log } = await fetchFrom(port, { timeout: 3 });
    expect(run.output.status).toBe(504);
    expect(log).toContain('it sent nothing for 1 s');
  });

  it('drips its head: the run ends by its own time, and the host is let go', async () => {
    let gone = false;
    const port = await attacker.upstreams.startTls((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      const timer = setInterval(() => socket.write('x'), 50);
      socket.once('close', () => {
        clearInterval(timer);
        gone = true;
      });
    });
    const { end: run } = await fetchFrom(port, { timeout: 6 });
    expect(run).toMatchObject({ status: 'failed', error: 'timed out after 6 s' });
    await eventually(() => gone);
  });

  it('drips its body: the script gets each drop', async () => {
    const port = await attacker.upstreams.start((_, response) => {
      let left = 20;
      const timer = setInterval(() => {
        response.write('drop ');
        if (--left > 0) return;
        clearInterval(timer);
        response.end();
      }, 20);
    });
    const { end: run } = await fetchFrom(port);
    expect(run.output.status).toBe(200);
    // A chunk may end within a drop: the last bytes are held back until more come.
    const body = run.output.text.replace(/\r\n[0-9a-f]+\r\n/g, '');
    expect(body.match(/drop /g)).toHaveLength(20);
  });

  it('never ends its TLS handshake: 504', async () => {
    const run = await runUntil(attacker.api, handshake, finished, 60_000);
    expect(run.output[0]).toMatch(/^HTTP\/1\.1 504 /);
    expect(run.output[0]).toContain('no TLS handshake in time');
  });
});

describe('addresses that may not be dialled', () => {
  it('are not, when the name has another that may be', async () => {
    let connections = 0;
    // "localhost" is ::1 as well; only 127.0.0.1 is allowed, and nobody listens there.
    const port = await attacker.upstreams.startTcp(() => (connections += 1), '::1').catch(() => null);
    if (port === null) return expect(connections).toBe(0);
    const { end, log } = await fetchFrom(port);
    expect(end.output.status).toBe(502);
    expect(log).toContain('the connection was refused');
    expect(connections).toBe(0);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '169.254.169.254',
    '[::1]',
    '::1',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '１２７.0.0.1',
    '*',
    '*.*.example',
    'localhost.',
    'local\thost',
    'pаypal.example',
    'localhost:0',
    'localhost:65536',
    'https://localhost',
    'user@localhost',
    '',
  ])('cannot be declared as a host in any form: %s', async (host) => {
    const slug = `host-${Math.random().toString(36).slice(2)}`;
    await attacker.api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.py': 'pass' });
    const { status, body } = await attacker.api.post(`/v1/scripts/${slug}/versions`, {
      archive,
      hosts: ['api.example.com', host],
    });
    expect(status).toBe(400);
    expect(body.error.details).toContainEqual(expect.objectContaining({ path: 'hosts.1' }));
  });
});
