import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { constants } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { ALLOWED } from './allowed-calls.js';
import { numberOf } from './call-table.js';
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

const CONNECT = (address: string): string => `
import errno, socket
s = socket.socket(${address.startsWith('(') ? (address.includes('::') ? 'socket.AF_INET6' : 'socket.AF_INET') : 'socket.AF_UNIX'})
s.settimeout(3)
try:
    s.connect(${address}); print("connected")
except OSError as e:
    print(errno.errorcode.get(e.errno, str(e)))
`;

describe('what a box keeps apart', () => {
  let sandbox: Sandbox;
  const servers: Server[] = [];
  const listen = (options: { host: string; port: 0 } | { path: string }): Promise<Server> => {
    const server = createServer((socket) => socket.end());
    servers.push(server);
    return new Promise((resolve) => server.listen(options, () => resolve(server)));
  };
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(async () => {
    await sandbox.close();
    servers.forEach((server) => server.close());
  });

  describe('network', () => {
    it.each(['127.0.0.1', '::1'])("does not reach the host's %s", async (host) => {
      const { port } = (await listen({ host, port: 0 })).address() as AddressInfo;
      expect((await runToEnd(sandbox, { argv: python(CONNECT(`("${host}", ${port})`)) })).stdout).toBe(
        'ECONNREFUSED\n',
      );
    });

    it("does not reach the host's abstract sockets", async () => {
      const name = `sandbox-spec-${process.pid}`;
      await listen({ path: `\0${name}` });
      expect((await runToEnd(sandbox, { argv: python(CONNECT(`"\\0${name}"`)) })).stdout).toBe(
        'ECONNREFUSED\n',
      );
    });

    it.each([
      '("1.1.1.1", 443)',
      '("169.254.169.254", 80)',
      '("10.0.0.1", 80)',
      '("2606:4700:4700::1111", 443)',
    ])('has no way to %s', async (address) => {
      expect((await runToEnd(sandbox, { argv: python(CONNECT(address)) })).stdout).toMatch(
        /^E(NETUNREACH|ADDRNOTAVAIL)/,
      );
    });

    it('sends no datagrams and resolves no names', async () => {
      const script = `
import socket
try: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53))
except OSError as e: print(e.errno)
try: socket.getaddrinfo("example.com", 443)
except OSError as e: print("no name")
`;
      const { stdout } = await runToEnd(sandbox, { argv: python(script) });
      expect(stdout).toBe(`${constants.errno.ENETUNREACH}\nno name\n`);
    });

    it('has a loopback of its own', async () => {
      const script =
        'import socket; s = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); print("ok")';
      expect((await runToEnd(sandbox, { argv: python(script) })).stdout).toBe('ok\n');
    });
  });

  describe('system calls', () => {
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
        netlink: 'allowed',
        rawIcmp: 'EPROTONOSUPPORT',
        pingIcmp: 'EPROTONOSUPPORT',
      });
      for (const name of ['sctp', 'audit', 'mptcp', 'rdm', 'sequencedPackets', 'dccp', 'unixRaw'])
        expect([name, results[name]]).toEqual([name, 'EPROTONOSUPPORT']);
      expect(results['inetPair']).toBe('EAFNOSUPPORT');
      for (const name of ['x25', 'packet', 'can', 'alg', 'vsock', 'xdp'])
        expect([name, results[name]]).toEqual([name, 'EAFNOSUPPORT']);
      for (const name of Object.keys(newNamespaces))
        expect([name, results[`new ${name}`]]).toEqual([name, 'EPERM']);
      expect(results).toMatchObject({ tiocsti: 'EPERM', tioclinux: 'EPERM' });
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

  describe('files', () => {
    it('are read-only but for /tmp, /outputs and /dev/shm', async () => {
      const script = `
import errno, os
for path in ["/", "/usr", "/usr/bin", "/etc", "/dev", "/app", "/inputs", "/proc", "/runtime/bin", "/var"]:
    try: open(path + "/x", "w"); print(path, "writable")
    except OSError as e: pass
for path in ["/etc/passwd", "/etc/hosts", "/usr/bin/env", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"]:
    try: open(path, "a"); print(path, "writable")
    except OSError as e: pass
for path in ["/tmp", "/var/tmp", "/outputs", "/dev/shm"]: open(path + "/x", "w")
print("done")
`;
      expect((await runToEnd(sandbox, { argv: python(script) })).stdout).toBe('done\n');
    });

    it("are the box's own", async () => {
      const { stdout } = await runToEnd(sandbox, {
        argv: bash(
          'cat /etc/shadow /root/.profile 2>&1; ls -A /root /home /run /sys /boot /srv 2>&1; ls -A /tmp; cut -d: -f1 /etc/passwd',
        ),
      });
      const lines = stdout.trim().split('\n');
      expect(lines.filter((line) => line.includes('No such file'))).toHaveLength(8);
      expect(lines.slice(8)).toEqual(['root', 'script', 'nobody']);
    });

    it('hold no device but the harmless', async () => {
      const { stdout } = await runToEnd(sandbox, { argv: bash('ls /dev | tr "\\n" " "') });
      expect(stdout.trim()).toBe('fd full null random shm stderr stdin stdout urandom zero');
    });
  });

  describe('processes', () => {
    it("do not show the environment, the arguments or the files of the worker's side", async () => {
      const { stdout } = await runToEnd(sandbox, {
        argv: bash(
          'cat /proc/1/environ | wc -c; tr "\\0" " " < /proc/1/cmdline; echo; ls -l /proc/1/fd /proc/1/cwd /proc/1/root; ls -d /proc/[0-9]*',
        ),
        env: { TOKEN: 'very-secret-value' },
      });
      expect(stdout).toMatch(/^0\nbwrap --args/);
      expect(stdout).not.toContain('very-secret-value');
      expect(stdout).not.toMatch(/socket:|memfd|sandbox-state/);
      expect(stdout.match(/^\/proc\/\d+$/gm)?.length).toBeLessThanOrEqual(3);
    });

    it("do not show a secret in anybody's command line on the host", async () => {
      const box = sandbox.run({
        argv: ['sleep', '5'],
        env: { TOKEN: 'very-secret-value' },
        app: '/usr/share',
        timeoutMs: 9000,
      });
      await box.started;
      const { execFileSync } = await import('node:child_process');
      expect(execFileSync('ps', ['axwwo', 'args'], { encoding: 'utf8' })).not.toContain('very-secret-value');
      await box.dispose();
    });

    it('inherit no descriptor', async () => {
      const leaked = openSync('/etc/hostname', 'r');
      const { stdout } = await runToEnd(sandbox, {
        argv: python('import os; print(sorted(os.listdir("/proc/self/fd")))'),
      });
      closeSync(leaked);
      // The fourth is the listing's own.
      expect(stdout).toBe("['0', '1', '2', '3']\n");
    });

    it('do not show in /proc what the host was started with', async () => {
      const { stdout } = await runToEnd(sandbox, {
        argv: bash(
          'cat /proc/cmdline | wc -c; (: > /proc/cmdline) 2>/dev/null || echo refused; umount /proc/cmdline 2>/dev/null || echo refused',
        ),
      });
      expect(stdout).toBe('0\nrefused\nrefused\n');
    });

    it('find in /proc what they need to know of the machine', async () => {
      const { stdout } = await runToEnd(sandbox, {
        argv: bash(`
          node -p 'const os = require("os"); [os.cpus().length > 0, os.totalmem() > 1e8, os.freemem() > 0, os.uptime() > 0, os.loadavg().length, os.availableParallelism() > 0].join()'
          python3 -c 'import os; print(os.cpu_count() > 0, os.getloadavg() is not None, "MemTotal" in open("/proc/meminfo").read(), "processor" in open("/proc/cpuinfo").read())'
          grep -c '^cpu ' /proc/stat; cat /proc/sys/kernel/random/uuid | wc -c; ls /proc/self/fd | wc -l`),
      });
      expect(stdout).toBe('true,true,true,true,3,true\nTrue True True True\n1\n37\n4\n');
    });

    it('are kept from reading by speculation what they may not, where the processor lets the kernel choose', async () => {
      const state = (status: string): string | undefined =>
        /^Speculation_Store_Bypass:\s*(.+)$/m.exec(status)?.[1];
      const { stdout } = await runToEnd(sandbox, { argv: ['cat', '/proc/self/status'] });
      const host = state(readFileSync('/proc/self/status', 'utf8'));
      expect(state(stdout)).toBe(host?.startsWith('thread ') ? 'thread force mitigated' : host);
    });

    it('see neither the host nor its name', async () => {
      const { stdout } = await runToEnd(sandbox, {
        argv: bash('hostname; cat /proc/self/cgroup | cut -d: -f3 | sort -u; id -un'),
      });
      expect(stdout).toBe('sandbox\n/\nscript\n');
    });
  });
});
