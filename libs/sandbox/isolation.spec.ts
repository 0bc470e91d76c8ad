import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { constants } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRELUDE, WRITABLE } from '../attacks/index.js';
import type { Sandbox } from './sandbox.js';
import { bash, openSandbox, python, runToEnd } from './test/in-box.js';

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

  describe('files', () => {
    it('are read-only but for /tmp, /outputs and /dev/shm', async () => {
      const script = `${PRELUDE}${WRITABLE}
for path in ["/tmp", "/var/tmp", "/outputs", "/dev/shm"]: open(path + "/x", "w")
`;
      expect((await runToEnd(sandbox, { argv: python(script) })).stdout).toBe('[]\n');
    });

    it('of the machine in /proc take nothing', async () => {
      const script = `
import os
for folder, folders, files in os.walk("/proc"):
    if folder == "/proc": folders[:] = [name for name in folders if not name.isdigit() and not name.endswith("self")]
    for name in files:
        # Of the box's process namespace, and only for who has rights in it.
        if name != "ns_last_pid" and os.access(os.path.join(folder, name), os.W_OK): print(folder, name)
print(sorted(os.listdir("/proc/pressure")) if os.path.exists("/proc/pressure") else [])
`;
      expect((await runToEnd(sandbox, { argv: python(script) })).stdout).toBe('[]\n');
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
      expect(stdout).toMatch(/^0\n\n/);
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

    it('have a standard input of their own, whatever the run before did to it', async () => {
      const left = `
import fcntl, os
flags = fcntl.fcntl(0, fcntl.F_GETFL)
print(flags & (os.O_NONBLOCK | os.O_APPEND), os.readlink("/proc/self/fd/0"))
fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_NONBLOCK | os.O_APPEND)`;
      for (let round = 0; round < 3; round++) {
        const { stdout } = await runToEnd(sandbox, { argv: python(left) });
        expect(stdout).toBe('0 /dev/null\n');
      }
    });

    it('leave no mark on device files, which are the host’s', async () => {
      const { stdout } = await runToEnd(sandbox, {
        argv: bash(
          'for device in null zero full urandom; do touch /dev/$device 2>/dev/null || echo refused; done; echo x > /dev/null',
        ),
      });
      expect(stdout).toBe('refused\n'.repeat(4));
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
