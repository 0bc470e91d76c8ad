import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROLES = ['main', 'api', 'worker'];

/** What is killed: its name in the table, how often it is chosen, and the process ids, none where there is none just now. */
export const KINDS = [
  { name: 'main process', weight: 4, find: (house) => expected(house, ['main']) },
  {
    name: 'all, with PostgreSQL',
    weight: 2,
    find: (house) => [...expected(house, ROLES), ...postgres(house)],
  },
  { name: 'postmaster', weight: 3, find: (house) => postgres(house).slice(0, 1) },
  { name: 'a box', weight: 3, find: (house, random) => one(boxes(house), random) },
  { name: 'the gate', weight: 2, find: (house, random) => one(gates(house), random) },
  { name: 'API process', weight: 2, find: (house) => expected(house, ['api']) },
  { name: 'worker process', weight: 4, find: (house) => expected(house, ['worker']) },
];

/** Draws a kind that has a victim, and kills it. */
export function killOne(house, random) {
  for (;;) {
    const kind = draw(random);
    const pids = kind.find(house, random);
    if (pids.length === 0) continue;
    for (const pid of pids) kill(pid);
    return kind.name;
  }
}

function draw(random) {
  let left = random() * KINDS.reduce((sum, { weight }) => sum + weight, 0);
  return KINDS.find(({ weight }) => (left -= weight) < 0) ?? KINDS[0];
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself meanwhile.
    if (error.code !== 'ESRCH') throw error;
  }
}

function expected(house, roles) {
  for (const role of roles) house.expectEnd(role);
  return roles.map((role) => house.pid(role));
}

function one(pids, random) {
  return pids.length === 0 ? [] : [pids[Math.floor(random() * pids.length)]];
}

/** The postmaster of the house first, then its servers. */
function postgres(house) {
  const processes = readProcesses();
  const directory = join(house.data, 'postgres');
  const postmasters = processes.filter(({ argv }) => /postgres$/.test(argv[0]) && argv.includes(directory));
  const servers = descendants(
    processes,
    postmasters.map(({ pid }) => pid),
  );
  return [...postmasters.map(({ pid }) => pid), ...servers.map(({ pid }) => pid)];
}

/**
 * Processes of boxes: whatever the workers have started that is neither the database nor a gate. One in which something
 * runs where there is any, rather than one that waits for work.
 */
function boxes(house) {
  const found = below(house).filter(
    ({ argv }) => argv[0] !== '' && !isGate(argv) && !argv.some((word) => word.includes('postgres')),
  );
  const busy = found.filter(({ argv }) => !argv[0].endsWith('/launcher'));
  return (busy.length > 0 ? busy : found).map(({ pid }) => pid);
}

function gates(house) {
  return below(house)
    .filter(({ argv }) => isGate(argv))
    .map(({ pid }) => pid);
}

function isGate(argv) {
  return argv.some((word) => word.includes('/gate-process/'));
}

function below(house) {
  return descendants(readProcesses(), [house.pid('main'), house.pid('worker')]);
}

function descendants(processes, roots) {
  const known = new Set(roots);
  const found = [];
  for (let grown = true; grown;) {
    grown = false;
    for (const each of processes) {
      if (known.has(each.pid) || !known.has(each.parent)) continue;
      known.add(each.pid);
      found.push(each);
      grown = true;
    }
  }
  return found;
}

function readProcesses() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid: Number(name), parent, argv: readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0') }];
    } catch {
      return [];
    }
  });
}
