import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { assertBlobKey, contentKey } from './blob-key.js';
import type { ByteSource } from './byte-meter.js';
import type { ByteRange } from './byte-range.js';
import { asDiskError } from './disk-errors.js';
import { BlobMissing, BlobTooLarge } from './storage.errors.js';

const DELETES_AT_ONCE = 16;

export interface WriteLimits {
  /** More bytes than this are refused with `BlobTooLarge`. */
  maxBytes: number;
}

export interface StoredBytes {
  /** In bytes. */
  size: number;
  /** In lower-case hex. */
  sha256: string;
}

export interface StoredContent extends StoredBytes {
  key: string;
}

/**
 * Where bytes live: uploads, outputs of runs, version archives. Everything is streamed; nothing is held in memory whole.
 *
 * There are a directory (the default), any S3-compatible store, and what extensions provide (`blob-storage.ts`). What an
 * implementation has to keep: a key holds either all of its bytes or none, whatever fails; keys pass `assertBlobKey`
 * before they are used; errors of the store are those of `storage.errors.ts`, errors of a source pass as they are.
 */
export abstract class BlobStore {
  /** Called once at start. Throws a `StorageError` that says what to change when the store can never work as set. */
  abstract open(): Promise<void>;

  /** Whether bytes can be stored now: resolves, or throws a `StorageError` within some seconds. */
  abstract ready(): Promise<void>;

  /**
   * Stores the bytes of `source`, replacing those under `key` only when all have arrived. When the source fails, is
   * too large or the store fails, nothing of it stays and the source is destroyed.
   */
  abstract write(key: string, source: ByteSource, limits: WriteLimits): Promise<StoredBytes>;

  /**
   * The bytes, or a range of them. The caller must read the stream to its end or destroy it.
   * Throws `BlobMissing`, and `BlobRangeUnsatisfiable` when the range starts at or after the end.
   */
  abstract read(key: string, range?: ByteRange): Promise<Readable>;

  /** In bytes. Throws `BlobMissing`. */
  abstract size(key: string): Promise<number>;

  /** Deletes what is there; a key without bytes is no error. */
  protected abstract deleteOne(key: string): Promise<void>;

  /** As `writeContent` of a stream: the key is known only when all bytes have been seen. */
  protected abstract writeContentStream(source: ByteSource, limits: WriteLimits): Promise<StoredContent>;

  /**
   * Stores bytes under a key made of their SHA-256; what is stored already is not written again. The same key is
   * returned for the same bytes, so delete it only when nothing else refers to it.
   */
  async writeContent(source: Uint8Array | ByteSource, limits: WriteLimits): Promise<StoredContent> {
    if (!(source instanceof Uint8Array)) return this.writeContentStream(source, limits);
    if (source.byteLength > limits.maxBytes) throw new BlobTooLarge(limits.maxBytes);
    const sha256 = createHash('sha256').update(source).digest('hex');
    const key = contentKey(sha256);
    if (!(await this.holds(key, source.byteLength))) await this.write(key, Readable.from([source]), limits);
    return { key, size: source.byteLength, sha256 };
  }

  /** One by one: deleting several in one request is the call that stores differ in most. */
  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertBlobKey);
    for (let at = 0; at < keys.length; at += DELETES_AT_ONCE) {
      await Promise.all(keys.slice(at, at + DELETES_AT_ONCE).map((key) => this.deleteOne(key)));
    }
  }

  /**
   * Writes the bytes to a new file at `path`, with `mode` (default 0600). It must not exist yet, and a link there is
   * not followed. When it fails, no file is left.
   */
  async copyToFile(key: string, path: string, mode = 0o600): Promise<void> {
    const source = await this.read(key);
    let made = false;
    try {
      const handle = await open(path, 'wx', mode);
      made = true;
      await handle.chmod(mode);
      await pipeline(source, createWriteStream(path, { fd: handle }));
    } catch (error) {
      source.destroy();
      if (made) await rm(path, { force: true });
      throw asDiskError(error, 'target');
    }
  }

  /** Ends connections, if there are any. */
  async close(): Promise<void> {}

  /** The last step of a shutdown: what still runs until then may store its results. */
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** A size that differs means that the stored bytes were damaged from outside: they are to be written again. */
  protected async holds(key: string, size: number): Promise<boolean> {
    try {
      return (await this.size(key)) === size;
    } catch (error) {
      if (error instanceof BlobMissing) return false;
      throw error;
    }
  }
}
