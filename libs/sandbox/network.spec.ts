import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BoxStartError } from './box.js';
import type { Sandbox } from './sandbox.js';
import { compileInto } from './test/compiled.js';
import { appDirectory, bash, finish, openSandbox, python, runToEnd } from './test/in-box.js';
import { ownLaunchers } from './test/own-launchers.js';
import { network, runServed, serve } from './test/served.js';

const GET = (...urls: string[]): string => `
import urllib.request
for url in ${JSON.stringify(urls)}: print(urllib.request.urlopen(url, timeout=5).read().decode(), end="")
`;

/** Prints how each connection ends, and that none of them takes long. */
const CONNECT = (...addresses: [string, number][]): string => `
import errno, socket, time
began = time.monotonic()
for host, port in ${JSON.stringify(addresses)}:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as s:
        s.settimeout(3)
        try:
            s.connect((host, port)); print("connected")
        except OSError as e:
            print(errno.errorcode.get(e.errno, str(e)))
print("soon" if time.monotonic() - began < 3 else "late")
`;

const openFiles = (pid: number | 'self'): number => readdirSync(`/proc/${pid}/fd`).length;

describe('a box with egress', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ maxSlots: 3 });
  });
  afterAll(() => sandbox.close());

  it('leads a declared name to the worker, on 443 and on declared ports', async () => {
    const { stdout, stderr } = await runServed(sandbox, {
      argv: python(GET('https://api.example.com/a', 'https://api.example.com:8443/b')),
      network: network({ ports: [8443, 443, 8443] }),
    });
    expect({ stdout, stderr }).toEqual({
      stdout: 'hello api.example.com/a 443\nhello api.example.com:8443/b 8443\n',
      stderr: '',
    });
  });

  it('has names at addresses of their own, so that two may have one port', async () => {
    const apart = ['one.example.com', 'other.example.com'].map((name, index) => ({
      name,
      address: `127.1.0.${index + 1}`,
      port: 5432,
    }));
    const code = `
import socket
for name in ("one.example.com", "other.example.com"):
    with socket.create_connection((name, 5432), 5) as s: print(s.getpeername()[0])
with socket.socket() as s: print(s.connect_ex(("127.0.0.1", 5432)) != 0)`;
    const { stdout, stderr } = await runServed(sandbox, { argv: python(code), network: network({ apart }) });
    expect({ stdout, stderr }).toEqual({ stdout: '127.1.0.1\n127.1.0.2\nTrue\n', stderr: '' });
  });

  it('leads any other name there by DNS', async () => {
    const { stdout, stderr } = await runServed(sandbox, {
      argv: python(GET('https://deep.below.example.org/')),
    });
    expect({ stdout, stderr }).toEqual({ stdout: 'hello deep.below.example.org/ 443\n', stderr: '' });
  });

  it.each([
    ['curl', 'curl -sS https://api.example.com/'],
    ['curl without our environment', 'env -i curl -sS https://api.example.com/'],
    ['python without our environment', `env -i PATH="$PATH" python3 -c '${GET('https://api.example.com/')}'`],
    [
      'node fetch',
      `node -e 'fetch("https://api.example.com/").then(r => r.text()).then(t => process.stdout.write(t))'`,
    ],
    [
      'node https with options of its own',
      `NODE_OPTIONS="$NODE_OPTIONS --no-warnings" node -e 'require("https").get("https://api.example.com/", r => r.pipe(process.stdout))'`,
    ],
    ['wget', 'wget -qO- https://api.example.com/'],
  ])('is trusted by %s', async (_, script) => {
    const { stdout, stderr } = await runServed(sandbox, { argv: bash(script) });
    expect({ stdout, stderr }).toEqual({ stdout: 'hello api.example.com/ 443\n', stderr: '' });
  });

  it('shows one authority, wherever programs look for them', async () => {
    const { stdout } = await runServed(sandbox, {
      argv: bash(
        'ls /etc/ssl/certs; cat /etc/ssl/cert.pem /etc/pki/tls/certs/ca-bundle.crt "$SSL_CERT_FILE" "$PIP_CERT" | sort | uniq -c | grep BEGIN; echo "$NODE_OPTIONS"; cat /etc/hosts',
      ),
      env: { NODE_OPTIONS: '--max-old-space-size=100' },
      network: network({ names: ['one.example.com', 'two.example.com'] }),
    });
    expect(stdout).toBe(
      'ca-certificates.crt\n      4 -----BEGIN CERTIFICATE-----\n--use-openssl-ca --max-old-space-size=100\n' +
        '127.0.0.1 localhost sandbox\n127.0.0.1 one.example.com\n127.0.0.1 two.example.com\n',
    );
  });

  it('has no other door', async () => {
    const host = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const { port } = host.address() as AddressInfo;
    const { stdout } = await runServed(sandbox, {
      argv: python(
        CONNECT(
          ...(['127.0.0.1', '127.0.0.2'].map((address) => [address, 80]) as [string, number][]),
          ...([8443, 53, port].map((number) => ['127.0.0.1', number]) as [string, number][]),
          ['::1', 443],
          ['127.0.0.2', 443],
        ),
      ),
    });
    host.close();
    expect(stdout).toBe(`${'ECONNREFUSED\n'.repeat(7)}soon\n`);
    const outside = await runServed(sandbox, {
      argv: python(CONNECT(['1.1.1.1', 443], ['169.254.169.254', 80])),
    });
    expect(outside.stdout).toBe('ENETUNREACH\nENETUNREACH\nsoon\n');
  });

  it("does not let a script take the worker's ports", async () => {
    const { stdout } = await runServed(sandbox, {
      argv: python(`
import errno, socket
for kind, address in [(socket.SOCK_STREAM, ("127.0.0.1", 8443)), (socket.SOCK_STREAM, ("0.0.0.0", 8443)), (socket.SOCK_STREAM, ("127.0.0.1", 444)), (socket.SOCK_DGRAM, ("127.0.0.1", 53))]:
    s = socket.socket(socket.AF_INET, kind)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        s.bind(address)
        if kind == socket.SOCK_STREAM: s.listen()
        print("bound")
    except OSError as e: print(errno.errorcode[e.errno])
`),
      network: network({ ports: [8443] }),
    });
    expect(stdout).toBe('EADDRINUSE\nEADDRINUSE\nEACCES\nEACCES\n');
  });

  it('inherits no descriptor', async () => {
    const { stdout } = await runServed(sandbox, {
      argv: bash('ls /proc/self/fd; ls -l /proc/[0-9]*/fd | grep -c socket:'),
    });
    expect(stdout).toBe('0\n1\n2\n3\n0\n');
  });

  it('begins when it is served, and its time with it', async () => {
    const app = appDirectory();
    const box = sandbox.run({
      argv: python(GET('https://api.example.com/')),
      env: {},
      app: app.path,
      timeoutMs: 5000,
      network: network(),
    });
    let started = false;
    void box.started.then(() => (started = true));
    const serving = box.network.then((sockets) => {
      expect(sockets?.servers.map(({ port }) => port)).toEqual([443]);
      expect(started).toBe(false);
    });
    await Promise.all([serving, serve(box)]);
    const exit = await finish(box);
    expect(exit).toMatchObject({ code: 0, stdout: 'hello api.example.com/ 443\n' });
    const sockets = await box.network;
    const again = createServer();
    const failed = new Promise((resolve) => again.once('error', resolve));
    again.listen(sockets?.servers[0]?.handle);
    expect(await failed).toMatchObject({ syscall: 'listen' });
    await box.dispose();
    app.remove();
  });

  it('tells one box from another by its sockets', async () => {
    const results = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        index % 3 === 2
          ? runToEnd(sandbox, { argv: python(CONNECT(['127.0.0.1', 443])) })
          : runServed(sandbox, { argv: python(GET(`https://api.example.com/${index}`)) }, `box ${index}`),
      ),
    );
    expect(results.map(({ stdout }) => stdout)).toEqual(
      Array.from({ length: 9 }, (_, index) =>
        index % 3 === 2 ? 'ECONNREFUSED\nsoon\n' : `box ${index} api.example.com/${index} 443\n`,
      ),
    );
  });

  it('leaves the next box of the slot nothing', async () => {
    const one = await openSandbox({ maxSlots: 1 });
    await runServed(one, { argv: python(GET('https://api.example.com/')) });
    const { stdout } = await runToEnd(one, {
      argv: bash(
        `python3 -c '${CONNECT(['127.0.0.1', 443])}'; cat /etc/hosts; wc -c < /etc/ssl/cert.pem; echo "$NODE_OPTIONS$SSL_CERT_FILE"`,
      ),
    });
    expect(stdout).toBe('ECONNREFUSED\nsoon\n127.0.0.1 localhost sandbox\n::1 localhost sandbox\n0\n\n');
    await one.close();
  });

  it('leaves no socket and no file behind, whatever becomes of it', async () => {
    const app = appDirectory();
    const state = appDirectory();
    const one = await openSandbox({ maxSlots: 1, stateDirectory: state.path });
    const spec = { env: {}, app: app.path, timeoutMs: 20_000, network: network({ ports: [8443] }) };
    const lives = [
      async () =>
        void (await runServed(one, { ...spec, argv: bash('exec 3<>/dev/tcp/127.0.0.1/443; exit 1') })),
      async () => {
        const box = one.run({ ...spec, argv: ['sleep', '60'] });
        box.kill();
        await finish(box);
        await box.dispose();
      },
      async () => {
        const box = one.run({ ...spec, argv: ['sleep', '60'] });
        const finished = finish(box);
        await box.network;
        box.terminate();
        expect(await finished).toMatchObject({ code: null, terminated: true });
        await box.dispose();
      },
      async () => {
        const box = one.run({ ...spec, argv: ['true'], app: '/no/such/app' });
        await expect(finish(box)).rejects.toThrow(BoxStartError);
        expect(await box.network).toBeNull();
        await box.dispose();
      },
      async () => void (await runToEnd(one, { argv: ['true'] })),
    ];
    const round = async (): Promise<void> => {
      for (const live of lives) await live();
    };
    const count = (): number =>
      ['self' as const, ...ownLaunchers()].reduce<number>((sum, pid) => sum + openFiles(pid), 0) +
      readdirSync(state.path, { recursive: true }).length;
    await round();
    const before = count();
    for (let rounds = 0; rounds < 10; rounds++) await round();
    // What each round left would be ten; launchers that are still at their first box open one more.
    await expect.poll(() => count() - before).toBeLessThan(5);
    await one.close();
    app.remove();
    state.remove();
  });

  it('misses no connection, however early it comes', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { stdout } = await runServed(sandbox, {
        argv: ['curl', '-sS', '-m', '5', 'https://api.example.com/'],
      });
      expect(stdout).toBe('hello api.example.com/ 443\n');
    }
  });

  it('does not begin when the worker has too many files open, and does again when it has not', () => {
    const directory = mkdtempSync(join(tmpdir(), 'sandbox-files-'));
    const script = `
      import { closeSync, openSync } from 'node:fs';
      import { Sandbox } from ${JSON.stringify(compileInto(join(directory, 'lib')))};
      const sandbox = await Sandbox.open({ stateDirectory: ${JSON.stringify(directory)} });
      const attempt = async () => {
        const network = { ports: [8443], names: [], caPem: '-----BEGIN CERTIFICATE-----' };
        const box = sandbox.run({ argv: ['true'], env: {}, app: '/usr/share', timeoutMs: 9000, network });
        box.stdout.resume(); box.stderr.resume();
        const sockets = await box.network;
        console.log(sockets?.servers.length, await box.exited.then(({ code }) => code, ({ message }) => message));
        await box.dispose();
      };
      const files = [];
      try { while (true) files.push(openSync('/dev/null')); } catch {}
      closeSync(files.pop());
      await attempt();
      files.forEach((file) => closeSync(file));
      await attempt();
      await sandbox.close();`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -n 200; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: 'utf8' },
    );
    rmSync(directory, { recursive: true });
    expect({ stdout, stderr }).toEqual({
      stdout:
        'undefined the box could not start: the worker could not take its ports: it has too many files open\n2 0\n',
      stderr: '',
    });
  });

  it('says what cannot be a network', () => {
    const run = (options: Parameters<typeof network>[0]): unknown =>
      sandbox.run({ argv: ['true'], env: {}, app: '/', timeoutMs: 1, network: network(options) });
    expect(() => run({ ports: [0] })).toThrow(/0 is not a port/);
    expect(() => run({ ports: Array.from({ length: 200 }, (_, index) => index + 1) })).toThrow(/at most 127/);
    expect(() => run({ names: ['a.example.com\n10.0.0.1 b'] })).toThrow(/not a host name/);
    expect(() => run({ caPem: '' })).toThrow(/PEM/);
  });
});
