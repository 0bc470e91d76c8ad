import {
  CONNECT,
  FIRST_PROCESS,
  HIDE,
  processesWith,
  readProc,
  seekHidden,
  SIGNALS,
} from '../../../../libs/attacks/index.js';
import { randomText } from '../../../core/crypto/index.js';
import { notRefusedOf } from '../answers.js';
import type { ProofBench } from '../proof-bench.js';
import type { Wall } from '../wall.js';

/** Of a box that was started, and of one that was forked: the sandbox's own and the script. */
const MOST_PROCESSES = 4;
const OF_THE_SANDBOX = /^(EACCES|EPERM|ENOENT|\/dev\/null|pipe:\[\d+\]|anon_inode:\[(eventfd|signalfd)\])$/;
const STAY = 'sys.stderr.write("here\\n"); sys.stderr.flush(); time.sleep(60)';

export const PROCESS_WALLS: readonly Wall[] = [
  {
    name: 'other-processes',
    says: "A script sees and signals no process but its own: not the worker's, the gate's or the machine's.",
    cure: 'Let process namespaces be made, and /proc be mounted in them: systempaths=unconfined for a container, procMount: Unmasked for a pod.',
    quick: true,
    attack: seeProcesses,
  },
  {
    name: 'other-boxes',
    says: 'A script sees nothing of another that runs beside it: no file, memory or process.',
    cure: 'Look for a changed bubblewrap or launcher, and install both anew.',
    quick: true,
    boxes: 2,
    attack: seekNeighbour,
  },
  {
    name: 'own-users',
    says: "Each script runs as a user of its own on this machine, which is not the worker's.",
    cure: 'Give no two users the same range of ids in /etc/subuid and /etc/subgid.',
    quick: true,
    boxes: 2,
    lacks: ({ parts }) =>
      parts.sandbox.boxUsers === 'others'
        ? null
        : {
            found: "scripts run as the worker's user, for it has no other ids",
            cure: 'Run the worker as root, which it gives up in each box, or install uidmap and give its user ids: usermod --add-subuids 200000-265535 --add-subgids 200000-265535 USER. In most containers there are none to give.',
          },
    attack: compareUsers,
  },
];

interface FirstProcess {
  processes: number[];
  environ: string;
  cmdline: string;
  descriptors: string[] | string;
  cgroup: string[];
}

async function seeProcesses(bench: ProofBench): Promise<string[]> {
  const found = await bench.findings<FirstProcess>({ code: FIRST_PROCESS });
  const pids = [process.pid, process.ppid, ...processesWith('gatehouse')].slice(0, 100);
  const answers = await bench.findings<string[]>({ code: SIGNALS, inputs: { pids } });
  const reached: string[] = [];
  if (found.processes.length > MOST_PROCESSES) reached.push(`${found.processes.length} processes are seen`);
  if (!/^(|EACCES|EPERM|ENOENT)$/.test(found.environ)) reached.push("the first process's environment");
  if (!/^(|ENOENT)$/.test(found.cmdline)) reached.push("the first process's arguments");
  const links = [found.descriptors].flat().filter((link) => !OF_THE_SANDBOX.test(link));
  if (links.length > 0) reached.push(`the first process holds ${links.join(', ')}`);
  if (found.cgroup.some((path) => path !== '/'))
    reached.push(`its cgroup's path: ${found.cgroup.join(', ')}`);
  const heard = answers.filter((answer) => answer !== 'ESRCH');
  if (heard.length > 0) reached.push(`signals to other processes: ${heard.join(', ')}`);
  return reached;
}

async function seekNeighbour(bench: ProofBench): Promise<string[]> {
  const word = `hidden-${randomText(20)}`;
  const neighbour = await bench.standing({ code: HIDE, inputs: { secret: word }, marker: word });
  try {
    type Found = [[places: string[], seen: number], segment: number, processes: number];
    const [[places], segment, processes] = await bench.findings<Found>({ code: seekHidden(word) });
    const targets = [['127.0.0.1', 4321], `\0${word}`];
    const answers = await bench.findings<string[]>({ code: CONNECT, inputs: { targets } });
    const reached = places.map((path) => `the other's word in ${path}`);
    reached.push(...notRefusedOf(["the other's port", "the other's socket"], answers, /^ECONNREFUSED$/));
    if (segment >= 0) reached.push("the other's shared memory");
    if (processes > MOST_PROCESSES) reached.push(`${processes} processes are seen`);
    return reached;
  } finally {
    await neighbour.end();
  }
}

/** By what the machine says of them. */
async function compareUsers(bench: ProofBench): Promise<string[]> {
  const markers = [randomText(20), randomText(20)] as const;
  const one = await bench.standing({ code: STAY, marker: markers[0] });
  try {
    const other = await bench.standing({ code: STAY, marker: markers[1] });
    try {
      const [own = -1, ...users] = [
        usersOf([process.pid]),
        ...markers.map((marker) => usersOf(processesWith(marker))),
      ].map(([user = -1]) => user);
      const reached: string[] = [];
      if (users.includes(-1)) throw new Error("the boxes' processes were not found in /proc");
      if (users.includes(own)) reached.push(`user ${own}, as the worker`);
      if (users[0] === users[1]) reached.push(`both run as user ${users[0]}`);
      return reached;
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
}

/** Of the processes whose program is the script's: the sandbox's own repeat its command. */
function usersOf(pids: readonly number[]): number[] {
  return pids
    .filter((pid) => pid === process.pid || /^python/.test(readProc(`${pid}/comm`)))
    .flatMap((pid) => /^Uid:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? [])
    .map(Number);
}
