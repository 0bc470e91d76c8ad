import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const GONE_TIMEOUT_MS = 30_000;

/**
 * Holds a directory for this process by a lock of the kernel. It ends with the process however that dies, and also
 * keeps out a process in another container that shares the directory.
 */
export class DataLock {
  private constructor(private descriptor: number | null) {}

  /** Throws if another living process holds `directory`: `busy` says what to do. */
  static acquire(directory: string, busy: (holder: string) => string): DataLock {
    const path = join(directory, 'gatehouse.lock');
    const descriptor = openSync(path, 'a+', 0o600);
    // Node has no flock(2). The lock belongs to the open file, which the short-lived `flock` shares with us.
    const lock = (): ReturnType<typeof spawnSync> =>
      spawnSync('flock', ['-w', '1', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
    const deadline = Date.now() + GONE_TIMEOUT_MS;
    let { status, error } = lock();
    // A holder that was killed just now may need a while to be gone.
    while (status !== 0 && !error && Date.now() < deadline && isEnding(readFileSync(path, 'utf8').trim()))
      ({ status, error } = lock());
    if (status !== 0) {
      closeSync(descriptor);
      if (error) {
        throw new Error(
          `${path} could not be locked: ${error.message}. Install \`flock\` (package util-linux).`,
        );
      }
      const holder = readFileSync(path, 'utf8').trim();
      throw new Error(busy(holder ? ` (process ${holder})` : ''));
    }
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid}\n`);
    return new DataLock(descriptor);
  }

  release(): void {
    if (this.descriptor === null) return;
    // Not removed: another process may have it open, about to lock it.
    ftruncateSync(this.descriptor);
    closeSync(this.descriptor);
    this.descriptor = null;
  }
}

/** Whether the process that a lock names has ended, or was killed and is about to: such a one has no command line. */
function isEnding(pid: string): boolean {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
  } catch {
    return true;
  }
}
