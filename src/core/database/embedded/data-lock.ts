import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Holds a data directory for this process. The kernel's lock, so it ends with the process however that dies,
 * and also keeps out a process in another container that shares the directory.
 */
export class DataLock {
  private constructor(private descriptor: number | null) {}

  /** Throws if another living process holds `dataDir`. */
  static acquire(dataDir: string): DataLock {
    const path = join(dataDir, 'gatehouse.lock');
    const descriptor = openSync(path, 'a+', 0o600);
    // Node has no flock(2). The lock belongs to the open file, which the short-lived `flock` shares with us.
    // A holder that was killed just now may need a moment to be gone.
    const { status, error } = spawnSync('flock', ['-w', '1', '3'], {
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
    });
    if (status !== 0) {
      closeSync(descriptor);
      if (error) {
        throw new Error(
          `${path} could not be locked: ${error.message}. Install \`flock\` (package util-linux).`,
        );
      }
      const holder = readFileSync(path, 'utf8').trim();
      throw new Error(
        `Gatehouse already runs on ${dataDir}${holder ? ` (process ${holder})` : ''}. ` +
          'Stop it first, or set GATEHOUSE_DATA to another directory.',
      );
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
