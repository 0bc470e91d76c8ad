import type { BoxLimits } from './box.js';
import type { SlotGroup } from './cgroups.js';
import { PROCESSES_OF_OURS } from './cgroups.js';
import type { StaticMounts } from './skeleton.js';

interface SlotSettings {
  /** bubblewrap's path, the same on the host and in the box. */
  bubblewrap: string;
  skeleton: string;
  mounts: StaticMounts;
  limits: BoxLimits;
  /** What a Node of the box reserves and does not use, see `codeReservation`. */
  reservedBytes: number;
  /** null: reduced mode. */
  group: SlotGroup | null;
  /** The host's user to become; null: stay who we are. */
  user: number | null;
  /** How it is become, see `BoxUsers`. */
  words: readonly string[];
  /** How many descriptors a box may watch with epoll; null: as many as its user may, which is nobody else's. */
  watches: number | null;
}

/** Beyond the limit for /outputs, so that the one file too much is still seen. */
const OUTPUTS_SLACK = 1024 * 1024;

/**
 * Bytes that either side of a TCP connection may hold. Where a cgroup counts and limits them it need not be less than a large
 * download is fast with; elsewhere it is the only bound.
 */
const COUNTED_BUFFER = 4 * 1024 * 1024;
const UNCOUNTED_BUFFER = 256 * 1024;

/** The launcher's command line; `native/main.c` reads it. */
export function launcherArguments({
  bubblewrap,
  skeleton,
  mounts,
  limits,
  reservedBytes,
  group,
  user,
  words,
  watches,
}: SlotSettings): string[] {
  const tmpfs = (target: string, size: number, inodes: number, mode: string): string[] => [
    '--tmpfs',
    target,
    `size=${size},nr_inodes=${inodes},mode=${mode}`,
  ];
  const outputFiles = Math.ceil(limits.files / 10);
  const owner = user === null ? '' : `,uid=${user},gid=${user}`;
  return [
    ...[
      '--worker',
      String(process.pid),
      '--bubblewrap',
      bubblewrap,
      '--skeleton',
      skeleton,
      '--outputs',
      '/outputs',
    ],
    ...(user === null ? [] : ['--uid', String(user)]),
    ...words,
    ...(watches === null ? [] : ['--watches', String(watches)]),
    ...(group?.join ?? []).flatMap((file) => ['--join', file]),
    ...(group ? ['--oom-events', group.oomEvents] : []),
    ...(group?.memoryPeak ? ['--memory-peak', group.memoryPeak] : []),
    ...(group ? ['--process-count', group.processCount] : []),
    ...(group?.socketUsage ? ['--socket-usage', group.socketUsage.file, String(group.socketUsage.most)] : []),
    ...['--open-files', String(limits.openFiles)],
    ...['--socket-buffer', String(group?.countsSockets ? COUNTED_BUFFER : UNCOUNTED_BUFFER)],
    // The kernel counts bubblewrap's own processes in the namespace as well.
    ...(group
      ? []
      : [
          ...['--processes', String(limits.processes + PROCESSES_OF_OURS + (watches === null ? 0 : 1))],
          ...['--heap', String(limits.memoryBytes + reservedBytes)],
        ]),
    ...mounts.binds.flatMap(({ source, target }) => ['--bind', source, target]),
    ...mounts.devices.flatMap(({ source, target }) => ['--device', source, target]),
    ...tmpfs('/tmp', limits.tmpBytes, limits.files, '1777'),
    ...tmpfs('/outputs', limits.outputsBytes + OUTPUTS_SLACK, outputFiles, `0755${owner}`),
    ...tmpfs('/dev/shm', limits.sharedMemoryBytes, 1000, '1777'),
  ];
}
