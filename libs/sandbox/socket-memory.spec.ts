import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGroups } from './find-groups.js';
import { ownName } from './ownership.js';
import type { Sandbox } from './sandbox.js';
import { openSandbox, python, runToEnd } from './test/in-box.js';

const MiB = 1024 * 1024;
const MEMORY = 256 * MiB;

/** Fills as many sockets as it may open, none of which is read. @returns Python that prints the MiB taken, by sends and by the kernel's tables. */
const FILL = (pair: string): string => `
import errno, json, socket
taken, sockets, why = 0, [], "no end"
chunk = b"x" * 60000
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(4096)
def enlarge(s):
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF): s.setsockopt(socket.SOL_SOCKET, option, 1 << 26)
    return s
def pair():
    ${pair.trim().replaceAll('\n', '\n    ')}
tables = [open("/proc/self/net/" + kind) for kind in ("tcp", "udp")]
def queued():
    fields = [line.split()[4].split(":") for table in tables for line in table.readlines()[1:]]
    return sum(int(sent, 16) + int(received, 16) for sent, received in fields)
try:
    while len(sockets) < 2000:
        sockets.append(pair()); sender = sockets[-1][0]; sender.setblocking(False)
        misses = 0
        for _ in range(200):
            try: taken += sender.send(chunk)
            except OSError as e:
                if e.errno not in (errno.EAGAIN, errno.ENOBUFS): raise
                misses += 1
                if misses == 3: break
except OSError as e: why = errno.errorcode.get(e.errno, str(e))
print(json.dumps({"sent": taken >> 20, "queued": queued() >> 20, "why": why}), flush=True)
`;

const WAYS = {
  'TCP connections': `
sender = enlarge(socket.create_connection(server.getsockname())); return sender, enlarge(server.accept()[0])`,
  'TCP connections that nobody accepts': `
return enlarge(socket.create_connection(server.getsockname(), 0.2)), None`,
  'UDP sockets': `
kept = enlarge(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)); kept.bind(("127.0.0.1", 0))
sender = enlarge(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)); sender.connect(kept.getsockname()); return sender, kept`,
  'Unix streams': 'return [enlarge(s) for s in socket.socketpair()]',
  'Unix datagrams': 'return [enlarge(s) for s in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)]',
};

/** The most that the kernel has counted for sockets of this process's boxes at any time, where it counts them apart. */
function mostCounted(): number {
  const groups = findGroups('sandbox')?.parents ?? [];
  const own = groups.flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  const counts = own
    .filter((path) => path.includes(`${ownName()}-`))
    .map((path) => join(path, 'memory.kmem.tcp.max_usage_in_bytes'));
  return Math.max(
    0,
    ...counts.filter((path) => existsSync(path)).map((path) => Number(readFileSync(path, 'utf8'))),
  );
}

describe.each([false, true])('the memory of sockets that nobody reads (reduced: %s)', (forceReduced) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ forceReduced });
  });
  afterAll(() => sandbox.close());

  it.each(Object.entries(WAYS))('is bounded in %s', async (name, pair) => {
    const { stdout, stderr, outOfMemory } = await runToEnd(sandbox, {
      argv: python(FILL(pair)),
      limits: { memoryBytes: MEMORY },
      timeoutMs: 90_000,
    });
    expect(stderr).toBe('');
    if (sandbox.limits === 'cgroup-v1') expect(mostCounted()).toBeLessThan(MEMORY / 2);
    if (outOfMemory) return;
    const { sent, queued } = JSON.parse(stdout) as { sent: number; queued: number };
    // A datagram that finds no room is dropped, and was sent all the same.
    if (name !== 'UDP sockets') expect(sent).toBeLessThan(MEMORY / MiB);
    expect(queued).toBeLessThan(MEMORY / MiB);
  });

  const TCP_PAIR =
    '[(s, socket.create_connection(s.getsockname(), 1), s.accept()[0]) for s in [socket.create_server(("127.0.0.1", 0))]][0]';

  it.each([TCP_PAIR, 'socket.socketpair()', 'socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)'])(
    'in many processes is counted, where anything is: %s',
    async (pair) => {
      const script = `
import os, socket, time
def fill():
    kept = []
    try:
        for _ in range(500):
            kept.append(${pair})
            kept[-1][1].setblocking(False)
            while True:
                try: kept[-1][1].send(b"x" * 60000)
                except BlockingIOError: break
    except OSError: pass
    time.sleep(50)
for _ in range(8):
    if os.fork() == 0: fill(); os._exit(0)
pid, status = os.wait()
print("killed", os.WTERMSIG(status), flush=True)
`;
      if (sandbox.limits === 'reduced') return;
      const exit = await runToEnd(sandbox, {
        argv: python(script),
        limits: { memoryBytes: MEMORY },
        timeoutMs: 60_000,
      });
      expect(exit).toMatchObject({ outOfMemory: true, timedOut: false });
    },
  );

  it('is bounded by settings that no box can change', async () => {
    const script = `
import json, socket
def change(name):
    try: open("/proc/sys/net/" + name, "w").write("4096 131072 33554432"); return "done"
    except OSError as e: return "refused"
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
print(json.dumps([change("ipv4/tcp_rmem"), change("ipv4/tcp_wmem"), s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF)]))
`;
    const { stdout } = await runToEnd(sandbox, { argv: python(script) });
    expect(JSON.parse(stdout)).toEqual(['refused', 'refused', 131072]);
  });
});
