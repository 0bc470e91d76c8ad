import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { StoredBytes, WriteLimits } from './blob-store.js';
import { ByteMeter } from './byte-meter.js';
import type { ByteSource } from './byte-meter.js';
import { onDisk } from './disk-errors.js';

/** No upload lasts that long, and a file that is still being written has a newer time. */
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

interface StagedFile {
  path: string;
  handle: FileHandle;
}

/** The folder where bytes arrive before they are moved to their place: whole and on the disk, or not at all. */
export class StagedFiles {
  constructor(private readonly directory: string) {}

  /** Makes the folder, and removes what a crash left in it more than a day ago. */
  async prepare(): Promise<void> {
    await onDisk(() => mkdir(this.directory, { recursive: true, mode: 0o700 }));
    await onDisk(() => this.sweep(Date.now() - LEFTOVER_MS));
  }

  /** Whether a file can be made and filled now. */
  async probe(): Promise<void> {
    // An empty file needs no block, so only a byte shows that the disk is full.
    await this.receive(Readable.from([Buffer.from('\n')]), { maxBytes: 1 }, (path) =>
      rm(path, { force: true }),
    );
  }

  /**
   * Writes and syncs the bytes of `source`, then lets `place` move the file to where it belongs. If anything fails, the
   * file is removed, the source destroyed and the error thrown.
   */
  async receive<T>(
    source: ByteSource,
    limits: WriteLimits,
    place: (path: string, stored: StoredBytes) => Promise<T>,
  ): Promise<T> {
    let file: StagedFile | undefined;
    try {
      const meter = new ByteMeter(limits.maxBytes);
      file = await onDisk(() => this.create());
      const { handle, path } = file;
      for await (const chunk of meter.through(source)) await onDisk(() => handle.appendFile(chunk));
      await onDisk(() => handle.sync());
      await onDisk(() => handle.close());
      return await onDisk(() => place(path, { size: meter.size, sha256: meter.sha256 }));
    } catch (error) {
      if (source instanceof Readable) source.destroy();
      if (file) await discard(file);
      throw error;
    }
  }

  protected async create(): Promise<StagedFile> {
    const path = join(this.directory, randomUUID());
    return { path, handle: await open(path, 'wx', 0o600) };
  }

  private async sweep(before: number): Promise<void> {
    for (const name of await readdir(this.directory)) {
      const path = join(this.directory, name);
      const entry = await stat(path).catch(() => null);
      if (entry?.isFile() && entry.mtimeMs < before) await rm(path, { force: true });
    }
  }
}

/** An error of cleaning up is ignored: the error that led here is thrown. */
async function discard(file: StagedFile): Promise<void> {
  await file.handle.close().catch(() => undefined);
  await rm(file.path, { force: true }).catch(() => undefined);
}
