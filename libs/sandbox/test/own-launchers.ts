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
    .sort((a, b) => a - b);
}
