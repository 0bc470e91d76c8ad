import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED } from './allowed-calls.js';
import { numberOf } from './call-table.js';
import type { Sandbox } from './sandbox.js';
import { CONDITIONAL, FORBIDDEN } from './syscalls.js';
import { bash, openSandbox, python, runToEnd } from './test/in-box.js';

const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';

/** Prints the errno of each system call; each in a process of its own, for some may kill. */
const TRY_CALLS = (calls: Record<string, number[]>): string => `
import ctypes, errno, json, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(args):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        ctypes.set_errno(0)
        result = libc.syscall(*[ctypes.c_long(a) for a in args])
        os.write(w, (errno.errorcode.get(ctypes.get_errno(), "?") if result < 0 else "allowed").encode())
        os._exit(0)
    os.close(w)
    status = os.waitpid(pid, 0)[1]
    return os.read(r, 99).decode() or "signal %d" % os.WTERMSIG(status)
print(json.dumps({name: attempt(args) for name, args in json.loads('''${JSON.stringify(calls)}''').items()}))
`;

describe('the system calls of a box', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());

  it('refuses every number that is not on its list with ENOSYS, or EPERM where it is known', async () => {
    const all = (calls: typeof FORBIDDEN): (number | null)[] =>
      Object.values(calls).map((numbers) => numberOf(numbers, architecture));
    const [allowed, forbidden] = [all(ALLOWED), all(FORBIDDEN)];
    const refused = Array.from({ length: 601 }, (_, number) => number).filter((n) => !allowed.includes(n));
    expect(refused.length).toBeGreaterThan(250);
    const calls = Object.fromEntries(refused.map((number) => [number, [number, 0, 0, 0, 0, 0, 0]]));
    const { stdout } = await runToEnd(sandbox, { argv: python(TRY_CALLS(calls)) });
    const results = JSON.parse(stdout) as Record<string, string>;
    // Newer kernels ask no filter about uretprobe and uprobe, which are their own and of no use to others.
    const probes = architecture === 'x64' ? [335, 336] : [];
    for (const number of refused) {
      const expected = forbidden.includes(number) ? 'EPERM' : 'ENOSYS';
      if (probes.includes(number)) expect(results[number]).toMatch(/^(ENOSYS|ENXIO|signal 4)$/);
      else expect([number, results[number]]).toEqual([number, expected]);
    }
  });

  it('refuses namespaces, doors into the kernel and typing into terminals', async () => {
    const [clone = -1, socket = -1, ioctl = -1, socketpair = -1] = (
      ['clone', 'socket', 'ioctl', 'socketpair'] as const
    ).map((name) => numberOf(CONDITIONAL[name], architecture) ?? -1);
    const families = {
      unix: 1,
      inet: 2,
      x25: 9,
      netlink: 16,
      packet: 17,
      can: 29,
      alg: 38,
      vsock: 40,
      xdp: 44,
    };
    const newNamespaces = {
      ns: 0x20000,
      cgroup: 0x2000000,
      uts: 0x4000000,
      ipc: 0x8000000,
      user: 0x10000000,
      pid: 0x20000000,
      net: 0x40000000,
    };
    const { stdout } = await runToEnd(sandbox, {
      argv: python(
        TRY_CALLS({
          ...Object.fromEntries(
            Object.entries(families).map(([name, family]) => [name, [socket, family, 3, 0]]),
          ),
          rawIcmp: [socket, 2, 3, 1],
          pingIcmp: [socket, 2, 2, 1],
          sctp: [socket, 2, 1, 132],
          mptcp: [socket, 2, 1, 262],
          rdm: [socket, 2, 4, 0],
          sequencedPackets: [socket, 2, 5, 0],
          dccp: [socket, 2, 6, 0],
          unixRaw: [socket, 1, 3, 0],
          inetPair: [socketpair, 2, 1, 0],
          audit: [socket, 16, 3, 9],
          ...Object.fromEntries(
            Object.entries(newNamespaces).map(([name, flag]) => [
              `new ${name}`,
              [clone, flag | 17, 0, 0, 0, 0],
            ]),
          ),
          tiocsti: [ioctl, 0, 0x5412, 0],
          tioclinux: [ioctl, 0, 0x541c, 0],
        }),
      ),
    });
    const results = JSON.parse(stdout) as Record<string, string>;
    expect(results).toMatchObject({
      rawIcmp: 'EPROTONOSUPPORT',
      pingIcmp: 'EPROTONOSUPPORT',
    });
    for (const name of ['sctp', 'mptcp', 'rdm', 'sequencedPackets', 'dccp', 'unixRaw'])
      expect([name, results[name]]).toEqual([name, 'EPROTONOSUPPORT']);
    expect(results['inetPair']).toBe('EAFNOSUPPORT');
    for (const name of ['x25', 'netlink', 'audit', 'packet', 'can', 'alg', 'vsock', 'xdp'])
      expect([name, results[name]]).toEqual([name, 'EAFNOSUPPORT']);
    for (const name of Object.keys(newNamespaces))
      expect([name, results[`new ${name}`]]).toEqual([name, 'EPERM']);
    expect(results).toMatchObject({ tiocsti: 'ENOTTY', tioclinux: 'ENOTTY' });
  });

  it('tells nothing of what others do with the files that boxes share', async () => {
    const script = `
import ctypes, errno, fcntl, json, os, struct
libc = ctypes.CDLL(None, use_errno=True)
def answer(action, *arguments):
    try: return "done: %r" % (action(*arguments),)
    except OSError as e: return errno.errorcode[e.errno]
def called(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), name)
shared = os.open(os.__file__, os.O_RDONLY)
folder = os.open("/usr", os.O_RDONLY)
print(json.dumps({
  "inotify": answer(called, "inotify_init1", 0),
  "fanotify": answer(called, "fanotify_init", 0, 0),
  "dnotify": answer(fcntl.fcntl, folder, fcntl.F_NOTIFY, 0x8000001f),
  "lease": answer(fcntl.fcntl, shared, fcntl.F_SETLEASE, fcntl.F_RDLCK),
  "what lease": answer(fcntl.fcntl, shared, fcntl.F_GETLEASE),
  "cached": answer(os.preadv, shared, [bytearray(4096)], 0, os.RWF_NOWAIT),
  "sync": answer(called, "syncfs", folder),
}))
`;
    const { stdout } = await runToEnd(sandbox, { argv: python(script) });
    expect(JSON.parse(stdout)).toEqual({
      inotify: 'ENOSYS',
      fanotify: 'EPERM',
      dnotify: 'EINVAL',
      lease: 'EINVAL',
      'what lease': 'EINVAL',
      cached: 'ENOTSUP',
      sync: 'EPERM',
    });
  });

  it.runIf(process.arch === 'x64')('kills 32-bit and x32 system calls', async () => {
    const script = `
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
print("survived")
`;
    expect(await runToEnd(sandbox, { argv: python(script) })).toMatchObject({
      signal: 'SIGSYS',
      stdout: '',
    });
    const { stdout } = await runToEnd(sandbox, { argv: python(TRY_CALLS({ x32: [0x40000000 + 39] })) });
    expect(JSON.parse(stdout)).toEqual({ x32: 'signal 31' });
  });

  it('leaves no capability and no way to get one', async () => {
    const { stdout } = await runToEnd(sandbox, {
      argv: bash(
        'grep -E "Cap|NoNewPrivs" /proc/self/status | cut -f2 | sort -u; su 2>&1; mknod /tmp/d c 1 1 2>&1',
      ),
    });
    expect(stdout).toMatch(/^0000000000000000\n1\n/);
    expect(stdout).toMatch(/mknod.*Operation not permitted/);
  });
});
