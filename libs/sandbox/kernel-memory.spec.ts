import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findGroups } from './find-groups.js';
import { ownName } from './ownership.js';
import type { Sandbox } from './sandbox.js';
import { appDirectory, openSandbox } from './test/in-box.js';

const MiB = 1024 * 1024;
const program = join(dirname(fileURLToPath(import.meta.url)), 'test/programs/hold.c');

/** What the kernel holds on this machine, but for what it could give back and what belongs to programs and files. */
function heldByKernel(): number {
  const text = readFileSync('/proc/meminfo', 'utf8');
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;
  return ['MemFree', 'Buffers', 'Cached', 'AnonPages', 'SReclaimable']
    .map(bytes)
    .reduce((left, other) => left - other, bytes('MemTotal'));
}

/** The control groups of boxes of this process. */
function groupsOfBoxes(): string[] {
  const parents = findGroups('sandbox')?.parents ?? [];
  return parents
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
    .filter((path) => path.includes(`${ownName()}-`));
}

/** Look-ups and the like are kept until somebody wants the memory: here somebody does. Version 1 of cgroups, then 2. */
function wantBackWhatIsKept(): void {
  for (const [name, text] of [
    ['memory.force_empty', '0'],
    ['memory.reclaim', '1G'],
  ] as const)
    for (const file of groupsOfBoxes().map((path) => join(path, name)))
      try {
        if (existsSync(file)) writeFileSync(file, text);
      } catch {
        // Not all of it could be had.
      }
}

/** And how much of it is counted for boxes of this process. */
function countedForBoxes(): number {
  return groupsOfBoxes()
    .map((path) => {
      const old = ['memory.kmem', 'memory.kmem.tcp'].map((name) => join(path, `${name}.usage_in_bytes`));
      const found = old.filter((file) => existsSync(file)).map((file) => Number(readFileSync(file, 'utf8')));
      if (found.length > 0) return found.reduce((a, b) => a + b);
      const stat = join(path, 'memory.stat');
      return existsSync(stat) ? Number(/^kernel (\d+)$/m.exec(readFileSync(stat, 'utf8'))?.[1] ?? 0) : 0;
    })
    .reduce((a, b) => a + b, 0);
}

const uncounted = (): number => heldByKernel() - countedForBoxes();

describe('what the kernel holds for a box', () => {
  let sandbox: Sandbox;
  let app: { path: string; remove: () => void };
  beforeAll(async () => {
    sandbox = await openSandbox({ warmInterpreters: false, maxSlots: 1 });
    app = appDirectory();
    execFileSync('cc', ['-O2', '-Wall', '-o', join(app.path, 'hold'), program, '-lrt']);
  });
  afterAll(async () => {
    await sandbox.close();
    app.remove();
  });

  beforeEach(({ skip }) => skip(sandbox.limits === 'reduced', 'no memory is counted here'));

  /** The most that one program was found to hold at any time, in MiB. */
  async function heldBeyondLimit(what: string): Promise<number> {
    // The kernel takes its time to free what an earlier box has left.
    const left = (): number => {
      wantBackWhatIsKept();
      return countedForBoxes() / MiB;
    };
    await expect.poll(left).toBeLessThan(64);
    const before = uncounted();
    const box = sandbox.run({ argv: ['./hold', what], env: {}, app: app.path, timeoutMs: 20_000 });
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, uncounted())), 25);
    box.stderr.resume();
    // It says so when it has all, or is ended for what it has.
    await new Promise((resolve) => box.stdout.once('data', resolve).once('close', resolve));
    clearInterval(look);
    box.kill();
    const exit = await box.exited;
    await box.dispose();
    expect(exit.timedOut).toBe(false);
    // By what it was before or is afterwards, whichever is more.
    return (most - Math.max(before, uncounted())) / MiB;
  }

  it.each([
    ...['events', 'timer files', 'epoll', 'inotify', 'socket filters', 'netlink answers', 'names of sockets'],
    ...['listening sockets', 'multicast groups', 'locks of whole files', 'locks of parts of files', 'links'],
    ...['pipes', 'notices of pressure'],
    ...['timers', 'signals', 'messages', 'semaphores', 'message queues', 'filters of system calls'],
    ...[
      'names of mappings',
      'look-ups that fail',
      'connections that nobody accepts',
      'datagrams without an end',
    ],
    ...[
      'Unix connections that nobody accepts',
      'lists of who may use a file',
      'locks that take long to count',
    ],
  ])('beyond its limit is at most 64 MiB: %s', async (what) => {
    // What is counted is the whole machine's, so what others take meanwhile adds to it: the least of many is the box's.
    let held = Infinity;
    for (let tries = 0; tries < 30 && held >= 64; tries++) held = await heldBeyondLimit(what);
    expect(held).toBeLessThan(64);
  });
});
