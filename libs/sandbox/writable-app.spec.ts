import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BoxStartError, BUILD_LIMITS } from './box.js';
import type { BoxSpec } from './box.js';
import type { Sandbox } from './sandbox.js';
import { appDirectory, bash, finish, openSandbox, python, runToEnd } from './test/in-box.js';
import type { Finished } from './test/in-box.js';
import { ownLaunchers } from './test/own-launchers.js';
import { network, runServed } from './test/served.js';

const MiB = 1024 * 1024;

/** Owner and permissions of each entry, by path. */
function listing(directory: string): Record<string, string> {
  const describeEntry = (path: string): string => {
    const { mode, uid } = lstatSync(path);
    const kind = { 0o100000: 'file', 0o040000: 'directory', 0o120000: 'link' }[mode & 0o170000] ?? 'other';
    return `${kind} ${kind === 'link' ? readlinkSync(path) : (mode & 0o7777).toString(8)} of ${uid}`;
  };
  const names = readdirSync(directory, { recursive: true }) as string[];
  return Object.fromEntries(['.', ...names].map((name) => [name, describeEntry(join(directory, name))]));
}

describe('an app that can be written to', () => {
  let sandbox: Sandbox;
  const app = appDirectory();
  const writableApp = { maxBytes: 32 * MiB, maxFiles: 1000 };
  const build = (argv: string[], spec: Partial<BoxSpec> = {}): Promise<Finished> =>
    runToEnd(sandbox, { argv, app: app.path, writableApp, limits: BUILD_LIMITS, ...spec });
  const uid = process.getuid?.();
  beforeAll(async () => {
    sandbox = await openSandbox({ maxSlots: 2 });
  });
  afterAll(async () => {
    await sandbox.close();
    app.remove();
  });

  it('is left as plain files that everybody may read, and nobody else may change', async () => {
    const source = appDirectory({ 'main.py': 'import dep; print(dep.value)', 'requirements.txt': 'dep' });
    const { stdout, stderr, ...exit } = await build(
      bash(`
        umask 077; mkdir -p .deps/inner; echo 'value = 42' > .deps/dep.py; echo '#!/bin/sh' > .deps/tool
        chmod 700 .deps/tool; cp .deps/tool .deps/suid; chmod 6777 .deps/suid; chmod 7777 .deps/inner
        ln -s /etc/shadow .deps/link; mkfifo .deps/fifo; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(".deps/socket")'
        echo x > .deps/inner/closed; chmod 000 .deps/inner/closed .deps/inner main.py; rm requirements.txt; id -u`),
      { app: source.path },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '1000\n', stderr: '' });
    expect(exit).toMatchObject({ code: 0, appOverflow: null });
    expect(listing(source.path)).toEqual({
      '.': `directory 755 of ${uid}`,
      'main.py': `file 644 of ${uid}`,
      '.deps': `directory 755 of ${uid}`,
      '.deps/dep.py': `file 644 of ${uid}`,
      '.deps/tool': `file 755 of ${uid}`,
      '.deps/suid': `file 755 of ${uid}`,
      '.deps/link': `link /etc/shadow of ${uid}`,
      '.deps/inner': `directory 755 of ${uid}`,
      '.deps/inner/closed': `file 644 of ${uid}`,
    });
    const run = await runToEnd(sandbox, {
      argv: bash('PYTHONPATH=.deps python3 main.py; touch x; rm -f main.py'),
      app: source.path,
    });
    expect(run.stdout).toBe('42\n');
    expect(run.stderr).toMatch(/touch.*Read-only file system\nrm.*Read-only file system/);
    source.remove();
  });

  it('is all that can be written to, besides what every box has', async () => {
    const { stdout } = await build(
      python(
        'import os\nfor path in ["/", "/etc", "/usr", "/inputs", "/runtime/bin", "/app", "/tmp"]:\n  try: open(path + "/x", "w"); print(path)\n  except OSError: pass\n' +
          'try: os.link("/usr/bin/env", "/app/env"); print("linked")\nexcept OSError: pass',
      ),
    );
    expect(stdout).toBe('/app\n/tmp\n');
  });

  it('has egress, if it is given any', async () => {
    const { stdout } = await runServed(sandbox, {
      argv: bash('curl -sS https://api.example.com/ | tee fetched'),
      app: app.path,
      writableApp,
      limits: BUILD_LIMITS,
      network: network(),
    });
    expect(stdout).toBe('hello api.example.com/ 443\n');
    expect(readFileSync(join(app.path, 'fetched'), 'utf8')).toBe(stdout);
  });

  it('keeps what was written when the command fails or runs too long', async () => {
    expect(await build(bash('echo 1 > failed; exit 7'))).toMatchObject({ code: 7, appOverflow: null });
    expect(await build(bash('echo 1 > late; sleep 60'), { timeoutMs: 2000 })).toMatchObject({
      timedOut: true,
    });
    expect(listing(app.path)).toMatchObject({ failed: `file 644 of ${uid}`, late: `file 644 of ${uid}` });
  });

  it.each([
    ['bytes', 'for i in $(seq 1000); do yes | head -c 1M > f$i; done; sleep 60'],
    ['bytes', 'for i in 1 2 3; do truncate -s 20M sparse$i; done'],
    ['files', 'for i in $(seq 100000); do : > f$i; done; sleep 60'],
    ['depth', 'for i in $(seq 150); do mkdir d; cd d; done'],
    [
      'files',
      "python3 -c \"import os\nfor i in range(3000): os.mkdir('d' * 200); os.chdir('d' * 200)\"; sleep 60",
    ],
    [
      'depth',
      "python3 -c \"import os\nfor i in range(900): os.mkdir('d' * 200); os.chdir('d' * 200)\"; chmod 000 .; sleep 60",
    ],
  ])('is given up when there is too much of it: %s', { tags: 'slow' }, async (overflow, script) => {
    const exit = await build(bash(script));
    expect(exit.appOverflow).toMatch(new RegExp(overflow === 'files' ? 'files|depth' : overflow));
    expect(exit.timedOut).toBe(false);
    expect(listing(app.path)).toEqual({ '.': `directory 755 of ${uid}` });
  });

  it('holds no file larger than all of it may be, and no space that nobody wrote', async () => {
    const { stdout } = await build(
      python(`
import ctypes, errno, os
f = os.open("f", os.O_WRONLY | os.O_CREAT)
try: os.pwrite(f, b"x", 40 << 20)
except OSError as e: print(errno.errorcode[e.errno])
libc = ctypes.CDLL(None, use_errno=True)
for mode in [0, 1]:
    if libc.fallocate(f, mode, ctypes.c_long(0), ctypes.c_long(1 << 20)) < 0: print(errno.errorcode[ctypes.get_errno()])
os.posix_fallocate(f, 0, 1 << 20); print(os.fstat(f).st_size)
`),
    );
    expect(stdout).toBe('EFBIG\nENOTSUP\nENOTSUP\n1048576\n');
  });

  it('is empty when the box could not run', async () => {
    const source = appDirectory({ 'main.py': '' });
    const opening = build(['no-such-program'], { app: source.path });
    await expect(opening).rejects.toThrow(BoxStartError);
    expect(readdirSync(source.path)).toEqual([]);
    await expect(build(['true'], { app: join(source.path, 'none') })).rejects.toThrow(/No such file/);
    source.remove();
  });

  it('is empty when its launcher was killed', async () => {
    const one = await openSandbox({ maxSlots: 1 });
    const source = appDirectory({ 'main.py': '' });
    const box = one.run({
      argv: bash('mkdir d; echo x > d/f; chmod 000 d; echo up; sleep 60'),
      env: {},
      app: source.path,
      timeoutMs: 0,
      writableApp,
    });
    await new Promise((resolve) => box.stdout.once('data', resolve));
    process.kill(ownLaunchers().at(-1) ?? NaN, 'SIGKILL');
    await expect(finish(box)).rejects.toThrow('killed by SIGKILL');
    await box.dispose();
    expect(readdirSync(source.path)).toEqual([]);
    await one.close();
    source.remove();
  });

  it('must be bounded', () => {
    const run = (maxBytes: number, maxFiles: number): unknown =>
      sandbox.run({ argv: ['true'], env: {}, app: '/', timeoutMs: 1, writableApp: { maxBytes, maxFiles } });
    expect(() => run(0, 1)).toThrow(/maxBytes/);
    expect(() => run(1, 0.5)).toThrow(/maxFiles/);
  });
});
