import { spawn } from 'node:child_process';
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
