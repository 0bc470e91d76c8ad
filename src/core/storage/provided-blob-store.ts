import { Readable } from 'node:stream';

import { Logger } from '@nestjs/common';

import { failureOf, wordsOf } from '../extension-calls/index.js';
import { inTime } from '../time-limit/index.js';
import { ArrivingBytes } from './arriving-bytes.js';
import { assertBlobKey, contentKey } from './blob-key.js';
import type { BlobStorageProvider } from './blob-storage.js';
import { BlobStore } from './blob-store.js';
import type { StoredBytes, StoredContent, WriteLimits } from './blob-store.js';
import { ByteMeter } from './byte-meter.js';
import type { ByteSource } from './byte-meter.js';
import { assertByteRange } from './byte-range.js';
import type { ByteRange } from './byte-range.js';
import { ProvidedStream } from './provided-stream.js';
import { SpooledFile } from './spooled-file.js';
import { BlobMissing, BlobRangeUnsatisfiable, StorageError, StorageUnavailable } from './storage.errors.js';

const CALL_MS = 30_000;
const READY_MS = 5_000;
const STALLED_MS = 60_000;
const DELETES_AT_ONCE = 16;

/** How long a storage may take. Tests have less patience. */
interface StoragePatience {
  callMs: number;
  stalledMs: number;
}

/**
 * Blobs where an extension keeps them. What no storage has to do by itself is done here: keys are checked, bytes counted and
 * hashed, limits kept and ranges cut to what there is.
 */
export class ProvidedBlobStore extends BlobStore {
  private readonly logger = new Logger('Storage');
  private storage!: BlobStorageProvider;

  constructor(
    readonly name: string,
    private readonly patience: StoragePatience = { callMs: CALL_MS, stalledMs: STALLED_MS },
  ) {
    super();
  }

  /** Extensions are there only after what has a store injected. */
  use(storage: BlobStorageProvider): void {
    this.storage = storage;
  }

  /** @throws Error that stops the start, in words for the operator */
  override async open(): Promise<void> {
    const { callMs: ms } = this.patience;
    try {
      await inTime({ ms }, (signal) => this.storage.open?.({ signal }));
    } catch (error) {
      throw new Error(`The blob storage ${this.name} cannot be opened: ${failureOf(error)}`, {
        cause: error,
      });
    }
  }

  override ready(): Promise<void> {
    return this.call('be ready', (signal) => this.storage.ready({ signal }), READY_MS);
  }

  override async write(key: string, source: ByteSource, limits: WriteLimits): Promise<StoredBytes> {
    try {
      assertBlobKey(key);
      const meter = new ByteMeter(limits.maxBytes);
      await this.store(key, meter.through(source));
      return { size: meter.size, sha256: meter.sha256 };
    } finally {
      if (source instanceof Readable) source.destroy();
    }
  }

  protected override async writeContentStream(
    source: ByteSource,
    limits: WriteLimits,
  ): Promise<StoredContent> {
    const meter = new ByteMeter(limits.maxBytes);
    try {
      return await SpooledFile.with(meter.through(source), async (file) => {
        const stored = { key: contentKey(meter.sha256), size: meter.size, sha256: meter.sha256 };
        if (!(await this.holds(stored.key, stored.size))) await this.store(stored.key, file.read());
        return stored;
      });
    } finally {
      if (source instanceof Readable) source.destroy();
    }
  }

  override async read(key: string, range: ByteRange = {}): Promise<Readable> {
    assertByteRange(range);
    assertBlobKey(key);
    const { start = 0, end } = range;
    if (start === 0 && end === undefined) return this.stream(key, null);
    const size = await this.size(key);
    if (start > 0 && start >= size) throw new BlobRangeUnsatisfiable(start, size);
    if (size === 0) return Readable.from([]);
    return this.stream(key, { start, end: Math.min(end ?? size - 1, size - 1) });
  }

  override async size(key: string): Promise<number> {
    assertBlobKey(key);
    const size = await this.call('say a size', async (signal) => {
      const found = await this.storage.size(key, { signal });
      if (found !== null && !Number.isSafeInteger(found))
        throw new TypeError('Its size is no number of bytes.');
      return found;
    });
    if (size === null) throw new BlobMissing(key);
    return size;
  }

  override async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertBlobKey);
    for (let at = 0; at < keys.length; at += DELETES_AT_ONCE) {
      const some = keys.slice(at, at + DELETES_AT_ONCE);
      await Promise.all(
        some.map((key) => this.call('delete', (signal) => this.storage.delete(key, { signal }))),
      );
    }
  }

  /** An error of the source is thrown as it is, whatever the storage makes of it. */
  private async store(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const bytes = new ArrivingBytes(chunks, this.patience.stalledMs);
    try {
      await bytes.give((stream, signal) => this.storage.write(key, stream, { signal }));
    } catch (error) {
      throw bytes.failure ? bytes.failure.error : this.failed('write', error);
    }
    if (bytes.failure) throw bytes.failure.error;
    if (!bytes.areTaken) throw this.failed('write', new RangeError('It did not take all bytes.'));
  }

  private async stream(key: string, range: { start: number; end: number } | null): Promise<Readable> {
    const stream = await this.call('read', async (signal) => {
      const source = await this.storage.read(key, { range, signal });
      return source === null ? null : this.checked(source, range && range.end - range.start + 1);
    });
    if (stream === null) throw new BlobMissing(key);
    return stream;
  }

  private checked(source: AsyncIterable<Uint8Array>, expected: number | null): Readable {
    return new ProvidedStream(source, {
      chunkMs: this.patience.stalledMs,
      expected,
      failed: (error) => this.failed('read', error),
    });
  }

  private async call<T>(
    what: string,
    work: (signal: AbortSignal) => Promise<T>,
    ms = this.patience.callMs,
  ): Promise<T> {
    try {
      return await inTime({ ms }, work);
    } catch (error) {
      throw this.failed(what, error);
    }
  }

  /** It may work soon: a storage that never can stops the start. */
  private failed(what: string, error: unknown): StorageError {
    this.logger.warn(`The blob storage ${this.name} could not ${what}: ${failureOf(error)}`);
    const words = wordsOf(error) ?? 'It failed, and the service has logged where.';
    return new StorageUnavailable(
      `The blob storage ${this.name} cannot be used just now. ${words}`,
      true,
      error,
    );
  }
}
