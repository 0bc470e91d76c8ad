import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';

/** Runs a program to its end with an empty environment: what a run costs without anything around it. */
export function bare(file, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { env: {}, stdio: 'ignore', ...options });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${file} ended with ${code}`))));
  });
}

/** Proportional set size in MB of a process, all of its descendants, and all whose command line names `marker`. */
export async function memoryOf(pid, marker) {
  const processes = new Map();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat === null) continue;
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    processes.set(Number(name), { parent, named: command.includes(marker) });
  }
  const counted = new Set([pid]);
  for (let grown = true; grown;) {
    grown = false;
    for (const [id, { parent, named }] of processes) {
      if (!counted.has(id) && (named || counted.has(parent))) {
        counted.add(id);
        grown = true;
      }
    }
  }
  let kilobytes = 0;
  for (const id of counted) {
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return { megabytes: kilobytes / 1024, processes: counted.size };
}

/**
 * Milliseconds of processor time that these processes and their descendants have had, those that have ended included. Of `process`
 * itself only its descendants count: it is what measures.
 */
export function processorMs(pids) {
  const TICK_MS = 10;
  const all = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [own, children] = [fields[11] + fields[12], fields[13] + fields[14]];
      all.set(Number(name), {
        parent: fields[1],
        ticks: Number(name) === process.pid ? children : own + children,
      });
    } catch {
      // It has ended meanwhile.
    }
  }
  const belongs = (pid) => pid > 1 && (pids.includes(pid) || belongs(all.get(pid)?.parent ?? 0));
  let ticks = 0;
  for (const [pid, process] of all) {
    if (pids.length === 1 ? pids[0] === pid : belongs(pid)) ticks += process.ticks;
  }
  return ticks * TICK_MS;
}
