import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** A file system of its own that can be filled. Mounting it takes root. */
export class SmallDisk {
  private readonly filler: string;

  private constructor(readonly path: string) {
    this.filler = join(path, 'filler');
  }

  static async mount(megabytes: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'));
    await exec('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'gatehouse-test', path]);
    await chmod(path, 0o755);
    return new SmallDisk(path);
  }

  /** Fills it until so much is left, or less. What else is written meanwhile takes room as well, so it is tried again. */
  async fillUpTo(megabytesLeft: number): Promise<void> {
    const most = megabytesLeft * 1024 ** 2;
    for (;;) {
      const { bavail, bsize } = await statfs(this.path);
      const free = bavail * bsize;
      if (free <= most) return;
      const filled = (await stat(this.filler).catch(() => null))?.size ?? 0;
      await exec('fallocate', ['-l', String(filled + free - most), this.filler]).catch(() => undefined);
    }
  }

  async empty(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  async remountReadOnly(): Promise<void> {
    await exec('mount', ['-o', 'remount,ro', this.path]);
  }

  /** Once nothing uses it any more. */
  async unmount(): Promise<void> {
    await exec('umount', ['--lazy', this.path]);
    await rmdir(this.path);
  }
}
