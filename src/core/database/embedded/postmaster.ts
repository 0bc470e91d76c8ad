import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Endpoint, SOCKET_LOCK } from './server-settings.js';

const PID_FILE = 'postmaster.pid';
/** Above the largest process id that Linux gives out. */
const NOBODYS_PID = 4_194_304;

export interface Postmaster {
  pid: number;
  endpoint: Endpoint;
  ready: boolean;
}

/** What `postmaster.pid` in `directory` says, or null where there is none or it is not complete yet. */
async function readPostmaster(directory: string): Promise<Postmaster | null> {
  const lines = (await readIfThere(join(directory, PID_FILE)))?.split('\n') ?? [];
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

/** A process id alone proves nothing: it may have gone to another process since, or be a dead one's that nobody has reaped. */
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
 * A killed server leaves its process id behind, in its own file and in the lock of its socket. Where another process
 * has that id by now, or the dead one was never reaped, PostgreSQL would take it for a living server and refuse to
 * start. The rest of its own file stays: by it PostgreSQL finds survivors of the crash.
 *
 * @returns the process id of a server that does live, whose files are left alone, or null
 */
async function disownDeadServer(directory: string): Promise<number | null> {
  const content = await readIfThere(join(directory, PID_FILE));
  const lock = await readIfThere(join(directory, SOCKET_LOCK));
  for (const file of [content, lock]) {
    const pid = Number(file?.split('\n')[0]);
    if (pid > 0 && isPostmasterOf(directory, pid)) return pid;
  }
  if (content !== null)
    await writeFile(join(directory, PID_FILE), content.replace(/^\d+/, String(NOBODYS_PID)));
  await rm(join(directory, SOCKET_LOCK), { force: true });
  return null;
}

/** Until no server lives in `directory`: one that was killed just now may need a while to be gone. */
export async function untilNoServer(directory: string, deadline: number): Promise<void> {
  for (let pid; (pid = await disownDeadServer(directory)) !== null; await sleep(100)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (process ${pid}) already runs in ${directory}.`);
  }
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

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
