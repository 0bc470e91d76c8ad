import { accessSync, constants, existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
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
/** Version 1 counts the buffers of sockets apart from other memory, and only once they have a limit. */
const SOCKET_MEMORY = 'memory.kmem.tcp.limit_in_bytes';
const SOCKET_USAGE = 'memory.kmem.tcp.usage_in_bytes';
/** Of the memory limit, and beyond it: the kernel slows sockets down from here on, */
const SOCKET_SHARE = 1 / 8;
/** and with this much their box is out of memory. */
const MOST_SOCKET_SHARE = 1 / 4;
const DEFAULT_SHARES = 1024;

type Controller = 'memory' | 'pids' | 'cpu';

function configure(controller: Controller, directory: string, limits: BoxLimits): void {
  if (controller === 'memory') {
    writeControl(directory, 'memory.limit_in_bytes', limits.memoryBytes);
    if (existsSync(join(directory, SOCKET_MEMORY)))
      writeControl(directory, SOCKET_MEMORY, Math.round(limits.memoryBytes * SOCKET_SHARE));
    // Only where the kernel accounts for swap.
    if (existsSync(join(directory, 'memory.memsw.limit_in_bytes'))) {
      writeControl(directory, 'memory.memsw.limit_in_bytes', limits.memoryBytes);
    }
  } else if (controller === 'pids') {
    writeControl(directory, 'pids.max', limits.processes + PROCESSES_OF_OURS);
  } else {
    writeControl(directory, 'cpu.shares', Math.max(2, Math.round((DEFAULT_SHARES * limits.cpuWeight) / 100)));
    if (limits.cpus > 0)
      writeControl(directory, 'cpu.cfs_quota_us', Math.round(limits.cpus * CPU_PERIOD_MICROSECONDS));
  }
}

/** The limit with swap is never below the one without, and so goes up first and down last. */
function limitMemory(directory: string, bytes: number): void {
  const names = ['memory.memsw.limit_in_bytes', 'memory.limit_in_bytes'];
  if (bytes < Number(readControl(directory, 'memory.limit_in_bytes'))) names.reverse();
  for (const name of names.filter((one) => existsSync(join(directory, one))))
    writeControl(directory, name, bytes);
}

/** What the kernel has for them (tables of pages, pipes, files in memory) is counted in one with theirs, and buffers of TCP apart. */
function usedMemory(directory: string): number {
  const sockets = existsSync(join(directory, SOCKET_USAGE)) ? readControl(directory, SOCKET_USAGE) : 0;
  const all = Number(readControl(directory, 'memory.usage_in_bytes')) + Number(sockets);
  return Math.max(0, all - memoryOf(directory, 'total_cache') + memoryOf(directory, 'total_shmem'));
}

/** A directory of ours under the cgroup that we are in. So limits set on the worker hold for its boxes. */
function ownParent(
  mounts: Mount[],
  membership: Map<string, string>,
  controller: Controller,
  name: string,
): string | null {
  const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(controller));
  const current = membership.get(controller);
  if (!mount || current === undefined) return null;
  const visible = visibleDirectory(mount, current);
  const parent = join(existsSync(visible) ? visible : mount.path, name);
  try {
    mkdirSync(parent, { recursive: true });
    accessSync(parent, constants.W_OK);
    return parent;
  } catch {
    return null;
  }
}

/**
 * Version 1, where each controller has a hierarchy of its own.
 * @returns null unless both memory and processes can be limited; the share of processors is limited if it can be.
 */
export function findV1(mounts: Mount[], membership: Map<string, string>, name: string): GroupTree | null {
  const parents = new Map<Controller, string>();
  for (const controller of ['memory', 'pids', 'cpu'] as const) {
    const parent = ownParent(mounts, membership, controller, name);
    if (parent !== null) parents.set(controller, parent);
    else if (controller !== 'cpu') return null;
  }
  const cpu = parents.get('cpu');
  // All boxes together weigh as much as the machine has processors, not as much as one process.
  if (cpu !== undefined) writeControl(cpu, 'cpu.shares', DEFAULT_SHARES * availableParallelism());
  return {
    kind: 'cgroup-v1',
    parents: [...parents.values()],
    create(slot, limits): SlotGroup {
      const directories: string[] = [];
      try {
        for (const [controller, parent] of parents) {
          const directory = join(parent, slot);
          // Another worker may have removed the parent as it ended.
          mkdirSync(directory, { recursive: true });
          directories.push(directory);
          configure(controller, directory, limits);
        }
      } catch (error) {
        directories.forEach((directory) => rmdirSync(directory));
        throw error;
      }
      const memory = join(parents.get('memory') ?? '', slot);
      const countsSockets = existsSync(join(memory, SOCKET_MEMORY));
      const most = Math.round(limits.memoryBytes * MOST_SOCKET_SHARE);
      return {
        directories,
        join: directories.map((directory) => join(directory, 'cgroup.procs')),
        oomEvents: join(memory, 'memory.oom_control'),
        countsSockets,
        socketUsage: countsSockets ? { file: join(memory, SOCKET_USAGE), most } : null,
        memoryPeak: controlIn(memory, 'memory.max_usage_in_bytes'),
        processCount: join(parents.get('pids') ?? '', slot, 'pids.current'),
        memory: {
          used: () => usedMemory(memory),
          limit: (bytes) => limitMemory(memory, bytes),
        },
      };
    },
    dispose(): void {
      for (const parent of parents.values()) {
        try {
          rmdirSync(parent);
        } catch {
          // Another worker's boxes are in it.
        }
      }
    },
  };
}
