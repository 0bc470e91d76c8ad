import { readFileSync, readlinkSync } from 'node:fs';

/**
 * What a worker leaves on the machine (directories, cgroups) carries its name: process-id namespace, process id and
 * start time. So the next one can tell what belongs to a process that is gone.
 */
interface Owner {
  pidNamespace: string;
  pid: number;
  startTime: string;
}

/** Start time in clock ticks since boot, or null if there is no such process. Source: proc(5), `/proc/pid/stat`. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name is in parentheses and may contain anything; the 22nd field is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function currentPidNamespace(): string {
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
}

/** `4026531836-812-99120`, for the process that runs this. */
export function ownName(): string {
  return `${currentPidNamespace()}-${process.pid}-${startTimeOf(process.pid) ?? '0'}`;
}

/** @returns the owner that a name begins with, or null for any other name. */
export function parseOwner(name: string): Owner | null {
  const match = /^(\d+)-(\d+)-(\d+)(?:-|$)/.exec(name);
  if (!match) return null;
  const [, pidNamespace = '', pid = '', startTime = ''] = match;
  return { pidNamespace, pid: Number(pid), startTime };
}

/** `unknown`: it lives, or lived, in another container, whose processes cannot be seen from here. */
export function stateOf(owner: Owner): 'alive' | 'gone' | 'unknown' {
  if (owner.pidNamespace !== currentPidNamespace()) return 'unknown';
  return startTimeOf(owner.pid) === owner.startTime ? 'alive' : 'gone';
}
