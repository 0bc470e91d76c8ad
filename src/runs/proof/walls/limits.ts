import {
  daemonOf,
  DEAF,
  FILL,
  FORKS,
  INODES,
  MEMORY,
  memoryTogether,
  processesWith,
} from '../../../../libs/attacks/index.js';
import { codeReservation, DEFAULT_LIMITS } from '../../../../libs/sandbox/index.js';
import { randomText } from '../../../core/crypto/index.js';
import type { ProofBench } from '../proof-bench.js';
import type { Lack, Wall } from '../wall.js';

const MiB = 1024 * 1024;
/** Small, so that nobody else misses it where the limit does not hold. */
const MEMORY_MIB = 128;
const PROCESSES = 48;
/** Those of the sandbox itself are counted among them by a cgroup, and not by a user namespace. */
const PROCESSES_SLACK = 4;
const TMP_MIB = 16;
const CPUS = 0.2;
const BUSY_MS = 2000;
/** What Python takes to start, and what a bound over short times lets pass. */
const CPU_SLACK_MS = 350;
const TAKEN = '\nprint("all taken")';
const TIMEOUT_SECONDS = 1;
/** A second of its own, five between the signals, and what a busy machine adds. */
const ENDED_WITHIN_MS = 12_000;
/** After which an attack ends by itself where nobody ends it. */
const BY_ITSELF_SECONDS = 15;

export const LIMIT_WALLS: readonly Wall[] = [
  {
    name: 'memory',
    says: 'A process takes no more memory than its run may have, by whatever way.',
    cure: 'Let the worker make cgroups with the controller of memory: Delegate=yes for a service of systemd.',
    quick: true,
    attack: takeMemory,
  },
  {
    name: 'memory-together',
    says: 'All processes and files in memory of a run count together.',
    cure: 'Let the worker make cgroups with the controller of memory: Delegate=yes for a service of systemd.',
    quick: true,
    lacks: withoutGroups,
    attack: async (bench) => {
      await assertTakes(bench, memoryTogether(MEMORY_MIB / 16, MEMORY_MIB / 16, 0));
      const isTaken = await takes(bench, memoryTogether(32, MEMORY_MIB / 2));
      return isTaken ? [`${32 + 2 * MEMORY_MIB} MiB of ${MEMORY_MIB}`] : [];
    },
  },
  {
    name: 'process-limit',
    says: 'A run has no more processes and threads than it may have.',
    cure: 'Let the worker make cgroups with the controller of pids, or use Linux 5.14 or newer.',
    quick: true,
    attack: async (bench) => {
      const wishes = { resources: { processes: PROCESSES }, inputs: { most: 3 * PROCESSES } };
      const [, count] = await bench.findings<[string, number]>({ code: FORKS, ...wishes });
      return count > PROCESSES + PROCESSES_SLACK ? [`${count} processes, of ${PROCESSES}`] : [];
    },
  },
  {
    name: 'processor',
    says: 'A run uses no more of the processors than it asked for.',
    cure: 'Let the worker make cgroups with the controller of cpu: Delegate=yes for a service of systemd.',
    quick: false,
    lacks: withoutGroups,
    attack: async (bench) => {
      const code = `end = time.monotonic() + ${BUSY_MS / 1000}\nos.fork()\nwhile time.monotonic() < end: pass`;
      const { exit } = await bench.attack({ code, resources: { cpus: CPUS } });
      if (exit.cpuMs === null) throw new Error('what the attack used of the processor is not known');
      const most = CPUS * exit.durationMs + CPU_SLACK_MS;
      return exit.cpuMs > most
        ? [`${exit.cpuMs} ms of processor time in ${exit.durationMs} ms, of ${CPUS} processors`]
        : [];
    },
  },
  {
    name: 'time-out',
    says: 'The time-out ends everything that a run has started, whatever it ignores.',
    cure: 'Look for a changed launcher, and install it anew.',
    quick: false,
    attack: outliveTimeout,
  },
  {
    name: 'space',
    says: 'A run fills /tmp, /outputs and /dev/shm to their sizes, and nothing else.',
    cure: 'Look for a changed bubblewrap or launcher, and install both anew.',
    quick: false,
    attack: fill,
  },
  {
    name: 'inodes',
    says: 'A run makes no more files than it may, empty ones included.',
    cure: 'Look for a changed bubblewrap or launcher, and install both anew.',
    quick: false,
    attack: makeFiles,
  },
];

function withoutGroups({ parts }: ProofBench): Lack | null {
  if (parts.sandbox.limits !== 'reduced') return null;
  return {
    found: 'no cgroup can be written here (limits: reduced)',
    cure: 'Start the worker by systemd with Delegate=yes, or as root; in a container, make its cgroups writable. A shell may be in another cgroup than the service.',
  };
}

async function takeMemory(bench: ProofBench): Promise<string[]> {
  // Other ways than this one may be closed altogether.
  await assertTakes(bench, MEMORY.heap(MEMORY_MIB / 2));
  const reached: string[] = [];
  const most = 3 * MEMORY_MIB + reservedMebibytes(bench);
  // One after the other: together they would be as much as the machine misses.
  for (const [way, taking] of Object.entries(MEMORY)) {
    if (await takes(bench, taking(most))) reached.push(`${most} MiB of ${MEMORY_MIB} as ${way}`);
  }
  return reached;
}

/** Without cgroups a process may have so much more, since Node reserves it. */
function reservedMebibytes({ parts }: ProofBench): number {
  return parts.sandbox.limits === 'reduced' ? codeReservation(parts.settings.nodePath) / MiB : 0;
}

/** What is within the limit has to be taken, or nothing shows that it is the limit which keeps the rest from being taken. */
async function assertTakes(bench: ProofBench, within: string): Promise<void> {
  if (await takes(bench, within)) return;
  throw new Error(`what is within ${MEMORY_MIB} MiB could not be taken, which shows nothing of the limit`);
}

async function takes(bench: ProofBench, code: string): Promise<boolean> {
  const { stdout } = await bench.attack({ code: code + TAKEN, resources: { memory: MEMORY_MIB } });
  return stdout.includes('all taken');
}

async function outliveTimeout(bench: ProofBench): Promise<string[]> {
  const marker = `daemon-${randomText(20)}`;
  const code = `${daemonOf(marker, 60)}${DEAF}
end = time.monotonic() + ${BY_ITSELF_SECONDS}
while time.monotonic() < end: time.sleep(0.2)
`;
  const { exit } = await bench.attack({ code, timeoutSeconds: TIMEOUT_SECONDS, marker });
  const left = processesWith(marker);
  const reached: string[] = [];
  if (!exit.timedOut || exit.durationMs > ENDED_WITHIN_MS)
    reached.push(`it went on for ${exit.durationMs} ms, of ${TIMEOUT_SECONDS * 1000}`);
  if (left.length > 0) reached.push(`${left.length} processes are left`);
  return reached;
}

async function fill(bench: ProofBench): Promise<string[]> {
  const sizes: [path: string, mebibytes: number][] = [
    ['/tmp', TMP_MIB],
    ['/outputs', DEFAULT_LIMITS.outputsBytes / MiB + 1],
    ['/dev/shm', DEFAULT_LIMITS.sharedMemoryBytes / MiB],
    ...['/dev', '/app', '/inputs', '/usr', ''].map((path): [string, number] => [path, 0]),
  ];
  const paths = sizes.map(([path]) => path);
  const resources = { tmp: TMP_MIB };
  const found = await bench.findings<[string, number][]>({
    code: FILL,
    inputs: { paths, most: 200 },
    resources,
  });
  return sizes.flatMap(([path, most], index) => {
    const [reason, mebibytes] = found[index] ?? ['nothing', Infinity];
    return mebibytes > most || reason === 'no end' ? [`${mebibytes} MiB in ${path || '/'}, of ${most}`] : [];
  });
}

async function makeFiles(bench: ProofBench): Promise<string[]> {
  const { files } = DEFAULT_LIMITS;
  const most: [path: string, files: number][] = [
    ['/tmp', files],
    ['/outputs', files / 10],
    ['/dev/shm', files / 5],
  ];
  const inputs = { paths: most.map(([path]) => path), most: files + 20_000 };
  const found = await bench.findings<[string, number][]>({ code: INODES, inputs });
  return most.flatMap(([path, limit], index) => {
    const [, count] = found[index] ?? ['nothing', Infinity];
    return count > limit ? [`${count} files in ${path}, of ${limit}`] : [];
  });
}
