import { describe, expect, it } from 'vitest';

import { MEMORY, memoryTogether } from '../../libs/attacks/index.js';
import { anAttacker, limitsAreReduced } from './support/attack.js';

const reduced = await limitsAreReduced();
const attacker = anAttacker();

describe('memory', () => {
  it.each(Object.entries(MEMORY))('taken as %s ends at the limit', async (_, taking) => {
    const end = await attacker.attempt(`${taking(1024)}\nprint("all taken")`);
    expect(end).toMatchObject({ status: 'failed', output: null });
    if (reduced) expect(end.error).toMatch(/MemoryError|PermissionError|OSError/);
    else expect(end.error).toBe('ran out of memory (512 MiB)');
  });

  it.runIf(!reduced)('taken by many processes and by files in memory is added up', async () => {
    const end = await attacker.attempt(`${memoryTogether(200, 100)}
print("all taken")`);
    expect(end).toMatchObject({ status: 'failed', error: 'ran out of memory (512 MiB)', output: null });
  });

  it('taken by connections that nobody accepts and datagrams without an end ends at a number of them', async () => {
    const left = await attacker.attempt(`
servers = [socket.create_server(("127.0.0.1", 9000 + n), backlog=511) for n in range(8)]
for server in servers:
    for _ in range(500): socket.create_connection(server.getsockname()).close()
time.sleep(20)
`);
    expect(left).toMatchObject({ status: 'failed', error: 'ran out of memory (512 MiB)', output: null });
    const pending = await attacker.attempt(`
for _ in range(2):
    if os.fork() == 0:
        kept = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(900)]
        for one in kept: one.sendto(b"x" * 60000, socket.MSG_MORE, ("127.0.0.1", 9))
        time.sleep(20)
time.sleep(20)
`);
    expect(pending).toMatchObject({ status: 'failed', error: 'ran out of memory (512 MiB)', output: null });
  });

  it('taken by lists of who may use a file, which the kernel keeps uncounted, is refused', async () => {
    const answer = await attacker.findings(`
entries = [(1, 6, 0xffffffff)] + [(2, 6, os.getuid())] * 8000 + [(4, 6, 0xffffffff), (16, 6, 0xffffffff), (32, 6, 0xffffffff)]
open("/tmp/f", "w").close()
value = struct.pack("I", 2) + b"".join(struct.pack("HHI", *entry) for entry in entries)
print(refusal(os.setxattr, "/tmp/f", "system.posix_acl_access", value))
`);
    expect(answer).toMatch(/^E(OP)?NOTSUPP?$/);
  });

  const CONNECTIONS = `
def fill():
    kept, server = [], socket.create_server(("127.0.0.1", 0), backlog=100)
    try:
        while True:
            kept += [socket.create_connection(server.getsockname(), 1), server.accept()[0]]
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF): kept[-2].setsockopt(socket.SOL_SOCKET, option, 1 << 25)
            kept[-2].setblocking(False)
            try:
                while True: kept[-2].send(b"x" * 60000)
            except BlockingIOError: pass
    except OSError: pass
    tables = sum(int(n, 16) for line in lines() for n in line.split()[4].split(":"))
    return tables >> 20
table = open("/proc/self/net/tcp")
lines = lambda: table.readlines()[1:]
`;

  it('held in TCP connections that nobody reads is bounded', async () => {
    const mebibytes = await attacker.findings(`${CONNECTIONS}\nprint(fill())`);
    expect(mebibytes).toBeLessThan(256);
  });

  it.runIf(!reduced)('held so by many processes ends at a limit', async () => {
    const end = await attacker.attempt(`${CONNECTIONS}
for _ in range(20):
    if os.fork() == 0: fill(); time.sleep(20); os._exit(0)
_, status = os.wait()
sys.exit("a child was killed by %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "all taken")
`);
    expect(end).toMatchObject({ status: 'failed', error: 'ran out of memory (512 MiB)', output: null });
  });

  // The kernel counts them for nobody: see libs/sandbox/kernel-memory.spec.ts, which measures them and all else of the kind.
  it('held as locks of parts of files ends the run', async () => {
    const end = await attacker.attempt(`
import fcntl
for _ in range(60):
    if os.fork() == 0:
        kept = []
        while True:
            kept.append(open("/tmp/%d-%d" % (os.getpid(), len(kept) % 500), "w+b", 0))
            for at in range(0, 800, 2): fcntl.lockf(kept[-1], fcntl.LOCK_EX, 1, at)
os.wait()
print("all taken")
`);
    expect(end).toMatchObject({ status: 'failed', output: null });
    if (!reduced) expect(end.error).toBe('ran out of memory (512 MiB)');
  });

  it('of the kernel’s cannot be held by answers that nobody reads', async () => {
    const answer = await attacker.findings(
      'print(refusal(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW, 0))',
    );
    expect(answer).toBe('EAFNOSUPPORT');
  });

  it('cannot be kept by pointing the kernel at somebody else', async () => {
    const end = await attacker.attempt(`
for pid, value in (("self", "-1000"), ("self", "0"), ("1", "1000")):
    try: file = os.open("/proc/%s/oom_score_adj" % pid, os.O_WRONLY); os.write(file, value.encode())
    except OSError: pass
${MEMORY.heap(2048)}
print("all taken")
`);
    expect(end).toMatchObject({ status: 'failed', output: null });
    if (!reduced) expect(end.error).toBe('ran out of memory (512 MiB)');
  });

  it('cannot be locked in place', async () => {
    const answer = await attacker.findings(`
import mmap
libc = ctypes.CDLL(None, use_errno=True)
m = mmap.mmap(-1, 1 << 24, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
def lock():
    if libc.mlock(ctypes.byref(ctypes.c_char.from_buffer(m)), ctypes.c_size_t(1 << 24)) < 0:
        raise OSError(ctypes.get_errno(), "mlock")
print(refusal(lock))
`);
    expect(answer).toMatch(/^E(NOMEM|PERM|AGAIN)$/);
  });
});
