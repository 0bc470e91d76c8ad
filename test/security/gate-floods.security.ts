import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { type TestScript, finished, runUntil } from '../support/scripts.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker({ alone: true });
const HEAD = 'b"GET / HTTP/1.1\\r\\nHost: localhost:%d\\r\\n" % port';
let port: number;
let neighbour: TestScript;
let loris: string;

beforeAll(async () => {
  port = await attacker.upstreams.start((_, response) => void response.end('ok'));
  neighbour = await attacker.script(`print(get(${port})["status"])`, { hosts: [`localhost:${port}`] });
  loris = await attacker.begin(
    await attacker.script(LORIS(port), { hosts: [`localhost:${port}`], timeout: 120 }),
  );
});

/** Connections that say nothing, and requests that never end. It takes half a minute, so it goes on beside the others. */
const LORIS = (port: number): string => `
port = ${port}
started = time.monotonic()
silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
slow = [connect(port, timeout=100) for _ in range(50)]
for s in slow: s.sendall(${HEAD})
def ended(s):
    s.settimeout(0.001)
    try: return s.recv(4096) != None
    except TimeoutError: return False
    except OSError: return True
over = {"silent": None, "slow": None}
while None in over.values() and time.monotonic() - started < 90:
    for s in slow:
        try: s.settimeout(1); s.sendall(b"X-A: b\\r\\n")
        except OSError: pass
    for name, sockets in (("silent", silent), ("slow", slow)):
        if over[name] is None and all([ended(s) for s in sockets]): over[name] = round(time.monotonic() - started)
    time.sleep(0.5)
print(json.dumps(over))`;

/** Starts a flood that says "flooding" once it is at its height, and asks for a neighbour's run meanwhile. */
async function flood(
  code: string,
  fields: Record<string, unknown> = {},
): Promise<{ end: Json; log: string }> {
  const script = await attacker.script(code, { hosts: [`localhost:${port}`], timeout: 90, ...fields });
  const id = await attacker.begin(script);
  const saysSo = async (): Promise<boolean> => (await attacker.log(id)).includes('flooding');
  await expect.poll(saysSo, { interval: 50 }).toBe(true);
  expect(await attacker.run(neighbour)).toMatchObject({ status: 'succeeded', output: 200 });
  expect((await attacker.api.get('/health/ready')).status).toBe(200);
  const end = await runUntil(attacker.api, id, finished, 100_000);
  expect(end).toMatchObject({ status: 'succeeded', error: null });
  return { end, log: await attacker.log(id) };
}

describe('a flood hurts nobody but its run', () => {
  it('thousands of sockets: so many are held, the others closed', async () => {
    const { end, log } = await flood(
      `
# Connections that the gate keeps are silent; those that it closes say so.
import select, resource
def held(count):
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    sockets = []
    for _ in range(count):
        try: sockets.append(socket.create_connection(("127.0.0.1", ${port}), 5))
        except OSError: pass
    return sockets
ways = []
for _ in range(4):
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        sockets = held(900); theirs.send(b"1"); theirs.recv(1)
        closed = 0
        for s in sockets:
            s.settimeout(0)
            try: closed += s.recv(1) == b""
            except BlockingIOError: pass
            except OSError: closed += 1
        theirs.send(struct.pack(">HH", len(sockets), closed)); os._exit(0)
    theirs.close(); ways.append(ours)
for way in ways: way.recv(1)
sys.stderr.write("flooding\\n")
time.sleep(6)
for way in ways: way.send(b"1")
counts = [struct.unpack(">HH", way.recv(4)) for way in ways]
print(json.dumps({"made": sum(c[0] for c in counts), "closed": sum(c[1] for c in counts)}))`,
    );
    expect(end.output.made).toBeGreaterThan(3000);
    expect(end.output.made - end.output.closed).toBeLessThanOrEqual(256);
    expect(log).toMatch(/more than 256 connections at a time|more than 200 new connections a second/);
    expect(log).toMatch(/\d+ more lines were left out/);
    expect(log.split('\n').length).toBeLessThan(200);
  });

  it('huge headers, and very many: 431, and the worker does not grow', async () => {
    const before = attacker.residentBytes();
    const { end } = await flood(
      `
port = ${port}
head = "GET / HTTP/1.1\\r\\nHost: localhost:%d\\r\\n" % port
sys.stderr.write("flooding\\n")
def status(more):
    with connect(port) as s:
        try: s.sendall((head + more).encode())
        except OSError: pass
        return read(s)[9:12].decode()
print(json.dumps({
  "one of 40 KB": status("X: " + "x" * 40000 + "\\r\\n\\r\\n"),
  "300 small ones": status("".join("X-%d: x\\r\\n" % i for i in range(300)) + "\\r\\n"),
  "target": ask(port, "GET /" + "a" * 40000 + " HTTP/1.1\\r\\n\\r\\n")["status"],
  "1 MB each": [status("X: " + "x" * 1000000 + "\\r\\n") or "closed" for _ in range(20)],
}))`,
    );
    expect(end.output).toMatchObject({ 'one of 40 KB': '431', '300 small ones': '431', target: 431 });
    for (const status of end.output['1 MB each']) expect(['431', 'closed']).toContain(status);
    expect(attacker.residentBytes() - before).toBeLessThan(128 * 1024 * 1024);
  });

  it('a flood of names: a certificate for a few, then none; log and counts stay short', async () => {
    const { end, log } = await flood(
      `
sys.stderr.write("flooding\\n")
def status(name):
    with connect(443, name) as s:
        s.sendall(b"GET / HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % name.encode())
        return read(s)[9:12].decode()
answers = [outcome(status, "name-%d.evil.example" % i) for i in range(60)]
print(json.dumps([answers[:32].count("403"), answers[32:].count("403")]))`,
    );
    expect(end.output).toEqual([32, 0]);
    expect(log).toContain('too many different hosts that are not declared');
    expect(end.network.length).toBeLessThanOrEqual(201);
  });

  it('a flood of names below a declared wildcard: refused or not there, and counted together', async () => {
    const { end } = await flood(
      `
sys.stderr.write("flooding\\n")
statuses = {}
for i in range(250):
    name = "n%d.invalid" % i
    with connect(443, name) as s:
        s.sendall(b"GET / HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n"); status = read(s)[9:12].decode()
    statuses[status] = statuses.get(status, 0) + 1
print(json.dumps(statuses))`,
      { hosts: ['*.invalid'] },
    );
    expect(end.output).toEqual({ 421: 250 });
    expect(end.network.length).toBeLessThanOrEqual(201);
    expect(end.network).toContainEqual(expect.objectContaining({ host: '(other hosts)', denied: 50 }));
  });

  it('a flood of connections to closed ports: lines and counts for a few of them', async () => {
    const { end, log } = await flood(
      `
sys.stderr.write("flooding\\n")
for _ in range(3): os.fork()
until = time.monotonic() + 3
while time.monotonic() < until:
    for port in range(1024, 4096):
        with socket.socket() as s: s.connect_ex(("127.0.0.1", port))
`,
    );
    const closed = end['network'].filter(({ host }: Json) => host.startsWith('(port '));
    expect(closed).toHaveLength(20);
    expect(log.match(/refused a connection to port/g)).toHaveLength(20);
    expect(log.split('\n').length).toBeLessThan(30);
  });

  it('a flood of name queries: some are dropped, the others answered', async () => {
    const { end } = await flood(
      `
sys.stderr.write("flooding\\n")
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("127.0.0.1", 53))
for i in range(20000):
    try: s.send(b"\\x12\\x34\\x01\\0\\0\\1\\0\\0\\0\\0\\0\\0" + b"\\x06%06d" % i + b"\\x04evil\\x07example\\0\\0\\1\\0\\1")
    except OSError: pass
def resolve():
    try: return socket.gethostbyname("after.evil.example")
    except socket.gaierror: return time.sleep(0.1)
print(json.dumps([next(filter(None, (resolve() for _ in range(50))))]))`,
    );
    expect(end.output).toEqual(['127.0.0.1']);
  });

  it(
    'slow loris, in the handshake and in the head: it was hung up on meanwhile',
    { tags: 'slow' },
    async () => {
      const end = await runUntil(attacker.api, loris, finished, 130_000);
      expect(end).toMatchObject({ status: 'succeeded', error: null });
      // However long they go on: after 10 s and 20 s, and what a busy machine adds.
      expect(end.output).toEqual({ silent: expect.any(Number), slow: expect.any(Number) });
      const log = await attacker.log(loris);
      expect(log).toContain('its TLS handshake took too long');
      expect(log).toContain("the request's headers took too long");
    },
  );
});
