import { readdirSync, readFileSync } from 'node:fs';

export function about(id: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const parentOf = (id: number): number => Number(/^PPid:\s+(\d+)$/m.exec(about(id, 'status'))?.[1] ?? 0);
/** Of this process's boxes, or itself. */
export const isOurs = (id: number): boolean => id === process.pid || (id > 1 && isOurs(parentOf(id)));

/** Of this process's boxes, what runs a function and may stay: the ids on this machine. */
export function processesThatStay(): number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && about(id, 'cmdline').endsWith('stays\0'))
    .map(Number)
    .filter(isOurs);
}

/** Those that are stopped until their next run. */
export const stoppedProcesses = (): number[] =>
  processesThatStay().filter((id) => /^State:\s+t/m.test(about(id, 'status')));
