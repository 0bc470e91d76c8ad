import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { onDisk } from './disk-errors.js';

/**
 * Bytes that wait on the local disk until their key is known. The file loses its name at once, so that not even a crash
 * leaves it behind.
 */
export class SpooledFile {
  private constructor(private readonly handle: FileHandle) {}

  /** Fills a file with `chunks`, lets `use` have it, and frees it. */
  static async with<T>(chunks: AsyncIterable<Buffer>, use: (file: SpooledFile) => Promise<T>): Promise<T> {
    const path = join(tmpdir(), `gatehouse-${randomUUID()}`);
    const handle = await onDisk(() => open(path, 'wx+', 0o600), 'spool');
    try {
      await onDisk(() => unlink(path), 'spool');
      for await (const chunk of chunks) await onDisk(() => handle.appendFile(chunk), 'spool');
      return await use(new SpooledFile(handle));
    } finally {
      await handle.close();
    }
  }

  /** All of it, from its start. */
  read(): Readable {
    return this.handle.createReadStream({ start: 0, autoClose: false });
  }
}
