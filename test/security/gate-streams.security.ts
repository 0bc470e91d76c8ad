import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';

import { describe, expect, it } from 'vitest';

import { finished, runUntil } from '../support/scripts.js';
import { eventually } from './support/attack.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
const SECRET = 'sk_live_streams_2266';

async function withSecret(port: number): Promise<Record<string, unknown>> {
  await attacker.secret('API_KEY', SECRET, [`localhost:${port}`]);
  return {
    hosts: [`localhost:${port}`],
    secrets: { API_KEY: { header: 'x-key', host: `localhost:${port}` } },
  };
}

/** A websocket server that accepts the handshake and then sends each frame's bytes back, unmasked. */
function websocket(onHead: (head: string) => void): (socket: TLSSocket) => void {
  return (socket) =>
    socket.once('data', (chunk: Buffer) => {
      const head = chunk.toString('latin1');
      onHead(head);
      const key = /^sec-websocket-key: (\S+)/im.exec(head)?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nX-Seen: ${SECRET}\r\n\r\n`,
      );
      socket.on('data', (frame: Buffer) => {
        const mask = frame.subarray(2, 6);
        const text = Buffer.from(frame.subarray(6).map((byte, index) => byte ^ mask[index % 4]!));
        socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
      });
    });
}

const UPGRADE = (port: number): string => `
s = connect(${port})
s.sendall(b"GET /socket HTTP/1.1\\r\\nHost: localhost:${port}\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
head = b""
while b"\\r\\n\\r\\n" not in head: head += s.recv(1)
def say(text):
    s.sendall(bytes([0x81, 0x80 | len(text)]) + b"abcd" + bytes(b ^ b"abcd"[i % 4] for i, b in enumerate(text)))
    kind, length = s.recv(1), s.recv(1)[0]
    return s.recv(length).decode()
`;

describe('a websocket', () => {
  it('passes with the secret; its messages are not searched, and the log says so', async () => {
    let head = '';
    const port = await attacker.upstreams.startTls(websocket((text) => (head = text)));
    const end = await attacker.attempt(
      `${UPGRADE(port)}
print(json.dumps([head.decode(), say(b"hello"), say(b"again"), say(b"${SECRET}")[::-1]]))`,
      await withSecret(port),
    );
    expect(end).toMatchObject({ status: 'succeeded', error: null });
    const [answer, hello, again, reversed] = end.output;
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(answer).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(answer).not.toContain(SECRET);
    expect([hello, again]).toEqual(['hello', 'again']);
    expect([...(reversed as string)].reverse().join('')).toBe(SECRET);
    expect(head).toMatch(new RegExp(`^x-key: ${SECRET}\r$`, 'im'));
    expect(await attacker.log(end.id)).toContain(
      'the messages of its websocket are not searched for secrets',
    );
    expect(end.network).toMatchObject([{ host: `localhost:${port}`, requests: 1, denied: 0 }]);
  });

  it('ends at its host when the run ends', async () => {
    let closed = false;
    const port = await attacker.upstreams.startTls((socket) => {
      websocket(() => undefined)(socket);
      socket.once('close', () => (closed = true));
    });
    await attacker.findings(
      `${UPGRADE(port)}
if os.fork() == 0:
    os.setsid(); time.sleep(300)
print(say(b"1"))`,
      await withSecret(port),
    );
    await eventually(() => closed);
  });

  it('does not become a way around the checks', async () => {
    let heads = 0;
    const port = await attacker.upstreams.startTls(websocket(() => (heads += 1)));
    const ask = (head: string): string =>
      `ask(${port}, "${head}Connection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n")["status"]`;
    const found = await attacker.findings(
      `print(json.dumps([
${ask('GET / HTTP/1.1\\r\\nHost: evil.example\\r\\n')},
${ask(`POST / HTTP/1.1\\r\\nHost: localhost:${port}\\r\\nContent-Length: 1\\r\\n`)},
${ask(`GET https://evil.example/ HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n`)},
]))`,
      await withSecret(port),
    );
    expect(found).toEqual([421, 400, 400]);
    expect(heads).toBe(0);
  });
});

describe('server-sent events', () => {
  it('stream live: each event is there before the next is made, once as much follows it as the longest form of the secret has', async () => {
    // What is held back in case it is the beginning of a secret: here a comment, which a client ignores.
    const behind = `: ${'-'.repeat(2 * SECRET.length)}\n`;
    let stream: ServerResponse | undefined;
    let acknowledged = 0;
    const port = await attacker.upstreams.start((request, response) => {
      if (request.url === '/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        stream = response;
        response.write(`data: first ${SECRET}\n\n${behind}`);
        return;
      }
      // The script has the event before: only now the next is made.
      acknowledged += 1;
      response.end('ok');
      if (acknowledged < 5) stream!.write(`data: next ${acknowledged}\n\n${behind}`);
      else stream!.end('data: last\n\n');
    });
    const end = await attacker.attempt(
      `
import urllib.request
events = []
with urllib.request.urlopen("https://localhost:${port}/events") as r:
    for line in r:
        if not line.startswith(b"data"): continue
        events.append(line.decode().strip())
        if len(events) <= 5: urllib.request.urlopen("https://localhost:${port}/seen").read()
print(json.dumps(events))`,
      await withSecret(port),
    );
    expect(end.output).toEqual([
      'data: first ***',
      'data: next 1',
      'data: next 2',
      'data: next 3',
      'data: next 4',
      'data: last',
    ]);
  });
});

describe('requests after the run ended', () => {
  it('are none: what it left behind is killed, and its open requests are broken off', async () => {
    let requests = 0;
    let closed = 0;
    const port = await attacker.upstreams.start((_, response) => {
      requests += 1;
      response.once('close', () => (closed += 1));
      // Never ended.
      response.write('begun');
    });
    const end = await attacker.attempt(
      `
connections = [connect(${port}) for _ in range(3)]
held, holds = os.pipe()
if os.fork() == 0:
    os.setsid()
    for s in connections: s.sendall(b"GET /held HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n\\r\\n"); s.recv(1)
    os.write(holds, b"1")
    while True:
        try:
            s = connect(${port}); s.sendall(b"GET /later HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n\\r\\n"); s.recv(1)
        except OSError: pass
os.read(held, 1)
print(1)
os._exit(0)`,
      { hosts: [`localhost:${port}`] },
    );
    expect(end.status).toBe('succeeded');
    await eventually(() => requests > 0 && closed === requests);
    const before = requests;
    await attacker.findings('print(1)', { hosts: [`localhost:${port}`] });
    expect(requests).toBe(before);
  });

  it('are none when it is cancelled', async () => {
    let requests = 0;
    let open = 0;
    const port = await attacker.upstreams.start((_, response) => {
      requests += 1;
      open += 1;
      response.once('close', () => (open -= 1));
      response.write('begun');
    });
    const script = await attacker.script(
      `
signal_ignored = __import__("signal").signal(15, lambda *_: None)
while True:
    s = connect(${port}); s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n\\r\\n"); s.recv(1); time.sleep(0.05)`,
      { hosts: [`localhost:${port}`], timeout: 60 },
    );
    const id = await attacker.begin(script);
    await eventually(() => requests > 2);
    await attacker.api.post(`/v1/runs/${id}/cancel`);
    const end = await runUntil(attacker.api, id, finished);
    expect(end.status).toBe('cancelled');
    await eventually(() => open === 0);
    const before = requests;
    await attacker.findings('print(1)', { hosts: [`localhost:${port}`] });
    expect(requests).toBe(before);
  });
});

describe("another run's gate", () => {
  it('is out of reach while it is open, and so are its hosts and secrets', async () => {
    let waiting: ServerResponse | undefined;
    let others = 0;
    const port = await attacker.upstreams.start((request, response) => {
      if (request.url === '/wait') waiting = response;
      else {
        others += 1;
        response.end();
      }
    });
    const own = await attacker.upstreams.start((_, response) => void response.end('own'));
    const victim = await attacker.script(`print(get(${port}, "/wait")["status"])`, {
      ...(await withSecret(port)),
      timeout: 60,
    });
    const id = await attacker.begin(victim);
    await eventually(() => waiting !== undefined);
    const found = await attacker.findings(
      `
open_ports = []
for port in range(1, 65536):
    s = socket.socket()
    if s.connect_ex(("127.0.0.1", port)) == 0 and s.getsockname() != s.getpeername(): open_ports.append(port)
    s.close()
print(json.dumps({
  "port": outcome(get, ${port}),
  "through its own": get(${own}, name="localhost")["status"],
  "the other's host": ask(${own}, "GET / HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n\\r\\n")["status"],
  "on 443": ask(443, "GET / HTTP/1.1\\r\\nHost: localhost:${port}\\r\\n\\r\\n")["status"],
  "open": open_ports,
  "unix": open("/proc/net/unix").read().count("@"),
}))`,
      { hosts: [`localhost:${own}`] },
    );
    expect(found).toEqual({
      port: 'ECONNREFUSED',
      'through its own': 200,
      "the other's host": 421,
      'on 443': 403,
      open: [443, own].sort((one, other) => one - other),
      unix: 0,
    });
    expect(others).toBe(0);
    waiting!.end();
    expect((await runUntil(attacker.api, id, finished)).output).toBe(200);
  });

  it('has an authority whose key no box ever sees, and no box trusts another one', async () => {
    const port = await attacker.upstreams.start((_, response) => void response.end());
    const found = await attacker.findings(
      `
bundle = open("/etc/ssl/certs/ca-certificates.crt").read()
files = [os.path.join(f, n) for root in ("/etc/ssl", "/run", "/tmp", "/inputs") for f, _, names in os.walk(root) for n in names]
keys = [path for path in files if os.path.isfile(path) and "PRIVATE KEY" in open(path, errors="replace").read()]
print(json.dumps({"trusted": bundle.count("BEGIN CERTIFICATE"), "keys": keys}))`,
      { hosts: [`localhost:${port}`] },
    );
    expect(found).toEqual({ trusted: 1, keys: [] });
  });
});
