import { accessSync, constants, existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { BoxLimits } from './box.js';
import {
  controlIn,
  memoryOf,
  PROCESSES_OF_OURS,
  readControl,
  visibleDirectory,
  writeControl,
} from './cgroups.js';
import type { GroupTree, Mount, SlotGroup } from './cgroups.js';

const CPU_PERIOD_MICROSECONDS = 100_000;
const MAX_WEIGHT = 10_000;
/** The leaf that the worker itself moves into, for a cgroup with controllers may have no processes of its own. */
const WORKER_LEAF = 'worker';

function controllers(directory: string, file: 'cgroup.controllers' | 'cgroup.subtree_control'): string[] {
  return readControl(directory, file).split(/\s+/).filter(Boolean);
}

/** We, or the process that started us and has a channel to us: it does nothing but start us again. */
function isOurs(pid: string): boolean {
  return pid === String(process.pid) || (process.connected === true && pid === String(process.ppid));
}

function isWritable(directory: string): boolean {
  try {
    for (const name of ['.', 'cgroup.procs', 'cgroup.subtree_control'])
      accessSync(join(directory, name), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Only the hierarchy's real root lacks this file; it alone may have both processes and controllers. */
const isRealRoot = (directory: string): boolean => !existsSync(join(directory, 'cgroup.events'));

/** Hands memory, pids and, if there is one, cpu down to the children. @throws if memory or pids cannot be. */
function enableControllers(directory: string): void {
  const present = controllers(directory, 'cgroup.controllers');
  const enabled = controllers(directory, 'cgroup.subtree_control');
  for (const controller of ['memory', 'pids', 'cpu']) {
    if (enabled.includes(controller)) continue;
    if (controller === 'cpu' && !present.includes(controller)) continue;
    writeControl(directory, 'cgroup.subtree_control', `+${controller}`);
  }
}

function moveAllToLeaf(directory: string): void {
  const leaf = join(directory, WORKER_LEAF);
  mkdirSync(leaf, { recursive: true });
  for (const pid of readControl(directory, 'cgroup.procs').split('\n').filter(Boolean)) {
    try {
      writeControl(leaf, 'cgroup.procs', pid);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/**
 * Chooses where to make cgroups, from the politest to the rudest:
 *   1 the cgroup that was delegated to us alone (a service with `Delegate=yes`): the limits set on it hold for the boxes;
 *   2 as root on the machine itself: a directory under the root, because our own cgroup has other members;
 *   3 a container's own root, whose members are the container's.
 */
function* candidates(
  mount: Mount,
  membership: string,
): Generator<{ directory: string; moveMembers: boolean }> {
  const current = visibleDirectory(mount, membership);
  const above = dirname(current);
  if (basename(current) === WORKER_LEAF && isWritable(above)) yield { directory: above, moveMembers: false };
  if (existsSync(current) && !isRealRoot(current) && isWritable(current)) {
    if (readControl(current, 'cgroup.procs').split('\n').every(isOurs))
      yield { directory: current, moveMembers: true };
  }
  if (isRealRoot(mount.path) && isWritable(mount.path)) yield { directory: mount.path, moveMembers: false };
  else if (current === mount.path && isWritable(current)) yield { directory: current, moveMembers: true };
}

function configure(directory: string, limits: BoxLimits): void {
  writeControl(directory, 'memory.max', limits.memoryBytes);
  if (existsSync(join(directory, 'memory.swap.max'))) writeControl(directory, 'memory.swap.max', 0);
  writeControl(directory, 'pids.max', limits.processes + PROCESSES_OF_OURS);
  if (!existsSync(join(directory, 'cpu.weight'))) return;
  writeControl(directory, 'cpu.weight', Math.min(MAX_WEIGHT, Math.max(1, Math.round(limits.cpuWeight))));
  if (limits.cpus > 0) {
    writeControl(
      directory,
      'cpu.max',
      `${Math.round(limits.cpus * CPU_PERIOD_MICROSECONDS)} ${CPU_PERIOD_MICROSECONDS}`,
    );
  }
}

function prepareParent(parent: string): void {
  mkdirSync(parent, { recursive: true });
  enableControllers(parent);
  // All boxes together weigh as much as the machine has processors, not as much as one service.
  if (existsSync(join(parent, 'cpu.weight'))) {
    writeControl(parent, 'cpu.weight', Math.min(MAX_WEIGHT, 100 * availableParallelism()));
  }
}

/** Version 2. @returns null where no cgroup is ours to divide, or memory and processes cannot be limited in it. */
export function findV2(mounts: Mount[], membership: Map<string, string>, name: string): GroupTree | null {
  const mount = mounts.find(({ type }) => type === 'cgroup2');
  const current = membership.get('');
  if (!mount || current === undefined) return null;
  for (const { directory, moveMembers } of candidates(mount, current)) {
    try {
      const present = controllers(directory, 'cgroup.controllers');
      if (!present.includes('memory') || !present.includes('pids')) continue;
      if (moveMembers) moveAllToLeaf(directory);
      enableControllers(directory);
      const parent = join(directory, name);
      prepareParent(parent);
      return treeUnder(parent);
    } catch {
      // Not ours after all: the next one.
    }
  }
  return null;
}

/** With what the kernel has for them: tables of pages, pipes, sockets, files in memory. */
function usedMemory(directory: string): number {
  const all = Number(readControl(directory, 'memory.current'));
  return Math.max(0, all - memoryOf(directory, 'file') + memoryOf(directory, 'shmem'));
}

function treeUnder(parent: string): GroupTree {
  return {
    kind: 'cgroup-v2',
    parents: [parent],
    create(slot, limits): SlotGroup {
      const directory = join(parent, slot);
      // Another worker may have removed the parent as it ended.
      if (!existsSync(parent)) prepareParent(parent);
      mkdirSync(directory);
      try {
        configure(directory, limits);
      } catch (error) {
        rmdirSync(directory);
        throw error;
      }
      return {
        directories: [directory],
        join: [join(directory, 'cgroup.procs')],
        oomEvents: join(directory, 'memory.events'),
        countsSockets: true,
        socketUsage: null,
        memoryPeak: controlIn(directory, 'memory.peak'),
        processCount: join(directory, 'pids.current'),
        memory: {
          used: () => usedMemory(directory),
          limit: (bytes) => writeControl(directory, 'memory.max', bytes),
        },
      };
    },
    dispose(): void {
      try {
        rmdirSync(parent);
      } catch {
        // Another worker's boxes are in it.
      }
    },
  };
}
