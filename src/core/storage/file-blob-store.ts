import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';

import { assertBlobKey, contentKey } from './blob-key.js';
import { BlobStore } from './blob-store.js';
import type { StoredBytes, StoredContent, WriteLimits } from './blob-store.js';
import type { ByteSource } from './byte-meter.js';
import { assertByteRange, rangeWithin } from './byte-range.js';
import type { ByteRange } from './byte-range.js';
import { asDiskError, errnoOf } from './disk-errors.js';
import { StagedFiles } from './staged-files.js';
import { BlobMissing } from './storage.errors.js';

/**
 * Blobs as files: `<directory>/<two hex digits>/<key>`, the slashes of a key as dots. The digits are of the key's hash:
 * keys that start with a time would fill one shard after the other. A blob is written to `<directory>/staged`, synced
 * and renamed. A crash leaves all of it, or a leftover that a later start sweeps.
 */
export class FileBlobStore extends BlobStore {
  private readonly staging: string;
  private readonly staged: StagedFiles;

  constructor(private readonly directory: string) {
    super();
    this.staging = join(directory, 'staged');
    this.staged = new StagedFiles(this.staging);
  }

  override async open(): Promise<void> {
    await this.staged.prepare();
    await this.ready();
  }

  override async ready(): Promise<void> {
    await this.staged.probe();
  }

  override async write(key: string, source: ByteSource, limits: WriteLimits): Promise<StoredBytes> {
    const path = this.pathOf(key);
    return this.staged.receive(source, limits, async (staged, stored) => {
      await this.publish(staged, path);
      return stored;
    });
  }

  protected override async writeContentStream(
    source: ByteSource,
    limits: WriteLimits,
  ): Promise<StoredContent> {
    return this.staged.receive(source, limits, async (staged, stored) => {
      const key = contentKey(stored.sha256);
      if (await this.holds(key, stored.size)) await rm(staged, { force: true });
      else await this.publish(staged, this.pathOf(key));
      return { key, ...stored };
    });
  }

  override async read(key: string, range: ByteRange = {}): Promise<Readable> {
    assertByteRange(range);
    const path = this.pathOf(key);
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'r');
      const { size } = await handle.stat();
      const bytes = rangeWithin(size, range);
      if (bytes) return handle.createReadStream(bytes);
      await handle.close();
      return Readable.from([]);
    } catch (error) {
      await handle?.close();
      throw await this.explain(key, error);
    }
  }

  override async size(key: string): Promise<number> {
    const path = this.pathOf(key);
    try {
      return (await stat(path)).size;
    } catch (error) {
      throw await this.explain(key, error);
    }
  }

  override async delete(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.assertMounted();
    await super.delete(keys);
  }

  protected override async deleteOne(key: string): Promise<void> {
    try {
      await unlink(this.pathOf(key));
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw asDiskError(error);
    }
  }

  /** The kernel copies, sharing blocks where the file system can. */
  override async copyToFile(key: string, path: string, mode = 0o600): Promise<void> {
    await this.size(key);
    try {
      await copyFile(this.pathOf(key), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chmod(path, mode);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') await rm(path, { force: true });
      throw asDiskError(error, 'target');
    }
  }

  private async publish(staged: string, path: string): Promise<void> {
    const shard = dirname(path);
    try {
      await rename(staged, path);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      await this.makeShard(shard);
      await rename(staged, path);
    }
    await syncDirectory(shard);
  }

  private async makeShard(path: string): Promise<void> {
    try {
      await mkdir(path, { mode: 0o700 });
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    await syncDirectory(this.directory);
  }

  /** A blob is missing only where the store is there: with its disk not mounted, everything would seem deleted. */
  private async explain(key: string, error: unknown): Promise<unknown> {
    if (errnoOf(error) !== 'ENOENT') return asDiskError(error);
    return this.assertMounted().then(
      () => new BlobMissing(key, error),
      (away: unknown) => away,
    );
  }

  private async assertMounted(): Promise<void> {
    try {
      await stat(this.staging);
    } catch (error) {
      throw asDiskError(error);
    }
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    const shard = createHash('sha256').update(key).digest('hex').slice(0, 2);
    return join(this.directory, shard, key.replaceAll('/', '.'));
  }
}

/** A rename survives a power cut only once the directory is on the disk as well. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
