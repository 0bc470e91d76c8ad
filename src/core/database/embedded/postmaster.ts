import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Endpoint } from './server-settings.js';

/** Above the largest process id that Linux gives out. */
const NOBODYS_PID = 4_194_304;

export interface Postmaster {
  pid: number;
  endpoint: Endpoint;
  ready: boolean;
}

/** What `postmaster.pid` in `directory` says, or null where there is none or it is not complete yet. */
export async function readPostmaster(directory: string): Promise<Postmaster | null> {
  const lines = (await readPidFile(directory))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0) || !(port > 0)) return null;
  const endpoint: Endpoint = lines[5] ? { kind: 'tcp', port } : { kind: 'socket', directory };
  return { pid, endpoint, ready: lines[7]?.startsWith('ready') ?? false };
}

/** The postmaster of `directory` if it is alive, whoever started it. */
export async function findRunning(directory: string): Promise<Postmaster | null> {
  const postmaster = await readPostmaster(directory);
  return postmaster && isPostmasterOf(directory, postmaster.pid) ? postmaster : null;
}

/** A process id alone proves nothing: it may have gone to another process since. */
export function isPostmasterOf(directory: string, pid: number): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(argv[0]!) === 'postgres' && argv[1] === '-D' && argv[2] === directory;
  } catch {
    return false;
  }
}

/** Whether the program was replaced while the server ran, as by an update: its files are gone from under it. */
export function runsDeletedProgram(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).endsWith(' (deleted)');
  } catch {
    return false;
  }
}

/**
 * A server that was killed leaves its process id behind. Where another process has that id by now, PostgreSQL would take
 * it for a living server and refuse to start. The rest of the file stays: by it PostgreSQL finds survivors of the crash.
 */
export async function disownReusedPid(directory: string): Promise<void> {
  const content = await readPidFile(directory);
  if (content === null) return;
  const pid = Number(content.split('\n')[0]);
  if (isPostmasterOf(directory, pid))
    throw new Error(`PostgreSQL (process ${pid}) already runs in ${directory}.`);
  await writeFile(join(directory, 'postmaster.pid'), content.replace(/^\d+/, String(NOBODYS_PID)));
}

/** Fast shutdown: open transactions are rolled back, everything is written. Escalates where that hangs. */
export async function shutDown(directory: string, pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isPostmasterOf(directory, pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      if (!isPostmasterOf(directory, pid)) return;
      await sleep(10);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) in ${directory} could not be stopped.`);
}

async function readPidFile(directory: string): Promise<string | null> {
  try {
    return await readFile(join(directory, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
