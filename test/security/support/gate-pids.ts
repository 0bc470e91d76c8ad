import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The process that reads what boxes send, of one worker; null while there is none. */
export function gatePid(worker: number): number | null {
  const [starter] = childrenOf(worker).filter((pid) => commandLine(pid).includes('gate-starter'));
  const [gate] = starter === undefined ? [] : childrenOf(starter);
  return gate !== undefined && commandLine(gate).includes('gate-process/main.js') ? gate : null;
}

/** The process between the worker and the gate. */
export function starterPid(worker: number): number | null {
  return childrenOf(worker).find((pid) => commandLine(pid).includes('gate-starter')) ?? null;
}

/** A line of `/proc/PID/status` as words. */
export function statusOf(pid: number, field: string): string[] {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${field}:`));
  return (line ?? '').split(/\s+/).slice(1).filter(Boolean);
}

/** What the descriptors of a process are, by number. */
export function descriptorsOf(pid: number): Map<number, string> {
  const numbers = readdirSync(`/proc/${pid}/fd`).map(Number);
  return new Map(numbers.map((number) => [number, readlinkSync(`/proc/${pid}/fd/${number}`)]));
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(ppid) === parent && state !== 'Z';
      } catch {
        return false;
      }
    });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
