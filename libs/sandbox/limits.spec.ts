import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { bash, openSandbox, python, runToEnd } from './test/in-box.js';

const MiB = 1024 * 1024;
const limits = { memoryBytes: 96 * MiB, processes: 40 };

const COUNT_FORKS = `
import os, time
n = 0
try:
    while n < 500:
        if os.fork() == 0:
            time.sleep(30)
        n += 1
except OSError:
    pass
print(n, flush=True)
os.kill(os.getpid(), 9)
`;

const FILL = (path: string): string => `
import errno
n = 0
try:
    with open("${path}/fill", "wb", buffering=0) as f:
        while n < 400:
            f.write(b"x" * 1048576)
            n += 1
except OSError as e:
    print(errno.errorcode[e.errno], n)
`;

const COUNT_FILES = (path: string): string => `
import errno
n = 0
try:
    while n < 1000000:
        open("${path}/%d" % n, "w").close()
        n += 1
except OSError as e:
    print(errno.errorcode[e.errno], n)
`;

describe('the limits of a box', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());

  it.each([
    ['heap', 'x = [bytearray(1 << 20) for _ in range(700)]'],
    [
      'shared memory',
      'import mmap; m = mmap.mmap(-1, 400 << 20)\nfor i in range(0, 400 << 20, 4096): m[i] = 1',
    ],
    ['memfd', 'import os; f = os.memfd_create("m")\nfor _ in range(400): os.write(f, b"x" * (1 << 20))'],
    ['files in /tmp', 'f = open("/tmp/f", "wb")\nfor _ in range(200): f.write(b"x" * (1 << 20)); f.flush()'],
  ])('stop memory taken as %s', async (_, script) => {
    const { code, signal, outOfMemory } = await runToEnd(sandbox, {
      argv: python(`${script}\nprint("all taken")`),
      limits,
    });
    expect(code).not.toBe(0);
    if (sandbox.limits !== 'reduced')
      expect({ signal, outOfMemory }).toEqual({ signal: 'SIGKILL', outOfMemory: true });
  });

  it('tell a lack of memory from other ends', async () => {
    expect(await runToEnd(sandbox, { argv: bash('kill -9 $$'), limits })).toMatchObject({
      outOfMemory: false,
    });
  });

  it('bound the number of processes', async () => {
    const { stdout } = await runToEnd(sandbox, { argv: python(COUNT_FORKS), limits });
    expect(Number(stdout)).toBeGreaterThan(20);
    expect(Number(stdout)).toBeLessThanOrEqual(limits.processes);
  });

  it('survive a fork bomb and end it', async () => {
    const exit = await runToEnd(sandbox, {
      argv: bash(':(){ :|:& };: ; sleep 30'),
      timeoutMs: 500,
      graceMs: 200,
      limits,
    });
    expect(exit.timedOut).toBe(true);
    expect((await runToEnd(sandbox, { argv: ['true'], limits })).code).toBe(0);
  });

  it.each([
    ['/tmp', 256],
    ['/outputs', 101],
    ['/dev/shm', 64],
  ])('bound what fits into %s', async (path, sizeMiB) => {
    const { stdout } = await runToEnd(sandbox, { argv: python(FILL(path)) });
    expect(stdout).toBe(`ENOSPC ${sizeMiB}\n`);
  });

  it.each([
    ['/tmp', 20_000],
    ['/outputs', 2000],
    ['/dev/shm', 1000],
  ])('bound the number of files in %s', async (path, most) => {
    const { stdout } = await runToEnd(sandbox, {
      argv: python(COUNT_FILES(path)),
      limits: { files: 20_000 },
    });
    const [reason, count] = stdout.trim().split(' ');
    expect(reason).toBe('ENOSPC');
    expect(Number(count)).toBeLessThanOrEqual(most);
    expect(Number(count)).toBeGreaterThan(most * 0.9);
  });

  it('bound open files, core dumps and priorities', async () => {
    const { stdout } = await runToEnd(sandbox, {
      argv: bash(
        'ulimit -Hn; ulimit -Hc; ulimit -Hr; chrt -f 1 true 2>/dev/null || echo no; nice -n -5 true 2>&1 | grep -c denied',
      ),
    });
    expect(stdout).toBe('1024\n0\n0\nno\n1\n');
  });
});

describe('the limits of a box without cgroups', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ forceReduced: true });
  });
  afterAll(() => sandbox.close());

  it('are said to be reduced', () => expect(sandbox.limits).toBe('reduced'));

  it.each([
    ['heap', 'x = [bytearray(1 << 20) for _ in range(700)]', 'MemoryError'],
    ['shared memory', 'import mmap; mmap.mmap(-1, 4096)', 'PermissionError'],
    ['memfd', 'import os; os.memfd_create("m")', 'OSError'],
    ['/dev/zero', 'open("/dev/zero")', 'FileNotFoundError'],
  ])('stop memory taken as %s', async (_, script, error) => {
    const { code, stderr } = await runToEnd(sandbox, { argv: python(script), limits });
    expect(code).toBe(1);
    expect(stderr).toContain(error);
  });

  it('bound the number of processes', async () => {
    const { stdout } = await runToEnd(sandbox, { argv: python(COUNT_FORKS), limits });
    expect(Number(stdout)).toBeGreaterThan(20);
    expect(Number(stdout)).toBeLessThanOrEqual(limits.processes + 1);
  });

  it('let node and python work', async () => {
    const { stdout } = await runToEnd(sandbox, {
      argv: bash(
        'node -e "console.log(Buffer.alloc(5e7).length)"; python -c "import multiprocessing; print(multiprocessing.Lock())"',
      ),
    });
    expect(stdout).toMatch(/^50000000\n<Lock/);
  });
});
