import { readdirSync, readFileSync } from 'node:fs';

/** The launchers that this process has started, oldest first: two processes for each slot. */
export function ownLaunchers(): number[] {
  const isOwn = (pid: string): boolean => {
    try {
      const [path, option, worker] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return path?.endsWith('/launcher') === true && option === '--worker' && worker === String(process.pid);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOwn(name))
    .map(Number)
    .sort((a, b) => startOf(a) - startOf(b) || a - b);
}

/** In ticks since the machine started: numbers of processes begin anew at some point. Source: proc(5), `/proc/pid/stat`. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return 0;
  }
}
