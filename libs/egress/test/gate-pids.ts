import { readdirSync, readFileSync } from 'node:fs';

/** Of the gates that this process has started. */
export function gatePids(): number[] {
  return childrenOf(process.pid).flatMap(childrenOf);
}

function childrenOf(parent: number): number[] {
  const isChild = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`);
    } catch {
      return false;
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name));
  return pids.map(Number).sort((one, other) => one - other);
}
