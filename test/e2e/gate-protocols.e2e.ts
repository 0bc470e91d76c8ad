import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { aGatedAttacker } from '../security/support/gated.js';
import { archiveOf, newSlug } from '../support/scripts.js';

const author = aGatedAttacker();
const plain = createServer((request, response) => {
  note(request);
  response.end('served in the clear');
});
let plainPort: number;
let echoPort: number;
let tlsPort: number;
let arrived: string[] = [];
let keys: unknown[] = [];

function note({ method, url, headers }: IncomingMessage): void {
  arrived.push(`${method} ${url} ${headers.host}`);
  if (headers['x-key'] !== undefined) keys.push(headers['x-key']);
}
const postgres = (options: object) => ({ host: 'a.test', protocol: 'postgres', postgres: options });
const local = (port: number): string => `localhost:${port}`;

beforeAll(async () => {
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
  plainPort = (plain.address() as AddressInfo).port;
  echoPort = await author.upstreams.startTcp((socket) => socket.on('error', () => undefined).pipe(socket));
  tlsPort = await author.upstreams.startTls((socket) =>
    socket.on('error', () => undefined).on('data', (bytes) => socket.end(`heard ${bytes.toString()}`)),
  );
});
afterAll(() => void plain.close());
beforeEach(() => {
  arrived = [];
  keys = [];
});

/** Says this to the port of localhost, in TLS or not, and returns what comes back. */
const SAY = `
def say(port, text, tls=False):
    s = socket.create_connection(("localhost", port), 20)
    if tls: s = ssl.create_default_context().wrap_socket(s, server_hostname="localhost")
    with s:
        s.sendall(text.encode())
        return s.recv(65536).decode()
i = inputs()
`;

describe('a host that is declared with another protocol than HTTPS', () => {
  it('gets the requests that its rules name in the clear, and no other', async () => {
    const script = await author.script(
      `
import urllib.error, urllib.request
def get(url, method="GET"):
    try: return urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=20).read().decode()
    except urllib.error.HTTPError as e: return e.code
    except OSError as e: return "none"
base = "http://localhost:${plainPort}"
print(json.dumps([get(base + "/in/x"), get(base + "/out"), get(base + "/in/x", "POST"), get("https" + base[4:] + "/in/x")]))`,
      { hosts: [{ host: local(plainPort), protocol: 'http', methods: ['GET'], paths: ['/in/*'] }] },
    );
    const end = await author.run(script);
    expect(end).toMatchObject({ status: 'succeeded', error: null });
    expect(end.output).toEqual(['served in the clear', 403, 403, 'none']);
    expect(arrived).toEqual([`GET /in/x ${local(plainPort)}`]);
    expect(await author.log(end.id)).toContain(
      `POST http://${local(plainPort)}/in/x is not among what this version declares`,
    );
    expect(end.network).toMatchObject([{ host: local(plainPort), requests: 1 }]);
  });

  it('gets no request for another name', async () => {
    const script = await author.script(
      `${SAY}print(json.dumps(say(${plainPort}, "GET / HTTP/1.1\\r\\nHost: other.example\\r\\n\\r\\n")))`,
      { hosts: [{ host: local(plainPort), protocol: 'http' }] },
    );
    expect((await author.run(script)).output).toMatch(/^HTTP\/1.1 421 /);
    expect(arrived).toEqual([]);
  });

  it('is a pipe by tcp, counted in connections, bytes and seconds', async () => {
    const script = await author.script(
      `${SAY}print(json.dumps([say(${echoPort}, "one"), say(${echoPort}, "second")]))`,
      {
        hosts: [{ host: 'localhost', port: echoPort, protocol: 'tcp' }],
      },
    );
    const end = await author.run(script);
    expect(end.output).toEqual(['one', 'second']);
    expect(end.network).toEqual([
      {
        host: local(echoPort),
        requests: 0,
        denied: 0,
        bytesIn: 9,
        bytesOut: 9,
        connections: 2,
        seconds: expect.any(Number),
      },
    ]);
    const { body } = await author.api.get(`/v1/scripts/${script.slug}/versions/1`);
    expect([body.hosts, body.hostRules]).toEqual([
      [local(echoPort)],
      [{ host: local(echoPort), methods: null, paths: null, protocol: 'tcp' }],
    ]);
  });

  it('is spoken to in TLS by tls, whichever of the two the script speaks', async () => {
    const script = await author.script(
      `${SAY}print(json.dumps([say(${tlsPort}, "plain"), say(${tlsPort}, "secured", True)]))`,
      { hosts: [{ host: local(tlsPort), protocol: 'tls' }] },
    );
    expect((await author.run(script)).output).toEqual(['heard plain', 'heard secured']);
  });

  it('may speak first', async () => {
    const port = await author.upstreams.startTls(
      (socket) =>
        socket.on('error', () => undefined).write('welcome') &&
        socket.on('data', (bytes) => socket.end(`you said ${bytes.toString()}`)),
    );
    const script = await author.script(
      `
with socket.create_connection(("localhost", ${port}), 20) as s:
    first = s.recv(100).decode()
    s.sendall(b"hello")
    print(json.dumps([first, s.recv(100).decode()]))`,
      { hosts: [{ host: local(port), protocol: 'tls' }] },
    );
    expect((await author.run(script)).output).toEqual(['welcome', 'you said hello']);
  });

  it('is not reached where its certificate is for another name', async () => {
    const port = await author.upstreams.startTls((socket) => socket.end('no'), {
      names: ['elsewhere.example'],
    });
    const script = await author.script(
      `${SAY}
try: print(json.dumps(say(${port}, "plain")))
except OSError: print(json.dumps("closed"))`,
      { hosts: [{ host: local(port), protocol: 'tls' }] },
    );
    const end = await author.run(script);
    expect(['closed', '']).toContain(end.output);
    expect(await author.log(end.id)).toContain(`gate: a connection to ${local(port)} failed: `);
  });

  it.each([
    ['a protocol of no kind', { host: 'a.test', protocol: 'ftp' }, 'hosts.0.protocol'],
    ['no port of TCP', { host: 'a.test', protocol: 'tcp' }, 'hosts.0.port'],
    ['two ports', { host: 'a.test:1', port: 2, protocol: 'tcp' }, 'hosts.0.port'],
    ['many hosts', { host: '*.a.test', protocol: 'postgres' }, 'hosts.0.host'],
    ['paths of TLS', { host: 'a.test', protocol: 'tls', paths: ['/'] }, 'hosts.0.paths'],
    ['PostgreSQL of HTTP', { host: 'a.test', protocol: 'http', postgres: {} }, 'hosts.0.postgres'],
    ['a wish that is no yes or no', postgres({ readOnly: 1 }), 'hosts.0.postgres.readOnly'],
    ['too many connections', postgres({ maxConnections: 101 }), 'hosts.0.postgres.maxConnections'],
    ['a wish of no kind', postgres({ schema: 'x' }), 'hosts.0.postgres.schema'],
  ])('is not declared with %s', async (_, host, path) => {
    expect(await problemOf({ hosts: [host] })).toEqual([400, path]);
  });

  it('has one protocol', async () => {
    const hosts = ['a.test:5432', { host: 'a.test', protocol: 'postgres' }];
    expect(await problemOf({ hosts })).toEqual([400, 'hosts.1']);
  });

  it.each(['tls', 'tcp'])('gets no secret by %s', async (protocol) => {
    const hosts = [{ host: 'a.test:81', protocol }];
    const secrets = { KEY: { header: 'authorization', host: 'a.test:81' } };
    expect(await problemOf({ hosts, secrets })).toEqual([400, 'secrets.KEY.hosts']);
  });

  it('gets a secret in the clear where the operator lets that happen, which whoever approves is told', async () => {
    const host = local(plainPort);
    const value = 'sk_test_in_the_clear';
    await author.secret('PLAIN_KEY', value, [host]);
    const script = await author.script(
      `
import os, urllib.request
has_it = "${value}" in os.environ.values()
print(json.dumps([has_it, urllib.request.urlopen("http://${host}/key", timeout=20).read().decode()]))`,
      { hosts: [{ host, protocol: 'http' }], secrets: { PLAIN_KEY: { header: 'x-key', host } } },
    );
    const end = await author.run(script);
    expect([end.error, end.output]).toEqual([null, [false, 'served in the clear']]);
    expect(keys).toEqual([value]);
    await author.api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const held = await author.api.post(`/v1/scripts/${script.slug}/runs`, { inputs: {} });
    const asked = await author.api.get(`/v1/workspace/approval-requests/${held.body.approval.id}`);
    expect(asked.body.summary).toContain(
      `${host} (in the clear, by HTTP, with the secret PLAIN_KEY unencrypted, where the operator lets that happen).`,
    );
  });
});

/** Of a version that is not as it should be. */
async function problemOf(fields: Record<string, unknown>): Promise<[number, string]> {
  const slug = newSlug();
  expect((await author.api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  const archive = await archiveOf({ 'main.py': '' });
  const { status, body } = await author.api.post(`/v1/scripts/${slug}/versions`, { archive, ...fields });
  return [status, body.error?.details?.[0]?.path];
}
