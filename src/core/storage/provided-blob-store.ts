import { Readable } from 'node:stream';

import { Logger } from '@nestjs/common';

import { failureOf, wordsOf } from '../extension-calls/index.js';
import { inTime } from '../time-limit/index.js';
import { ArrivingBytes } from './arriving-bytes.js';
import { assertBlobKey } from './blob-key.js';
import type { BlobStorageProvider } from './blob-storage.js';
import { assertByteRange, rangeWithin } from './byte-range.js';
import type { ByteRange } from './byte-range.js';
import { ProvidedStream } from './provided-stream.js';
import { SendingBlobStore } from './sending-blob-store.js';
import { BlobMissing, type StorageError, StorageUnavailable } from './storage.errors.js';

const CALL_MS = 30_000;
const READY_MS = 5_000;
const STALLED_MS = 60_000;

/** How long a storage may take. Tests have less patience. */
interface StoragePatience {
  callMs: number;
  stalledMs: number;
}

/**
 * Blobs where an extension keeps them. What no storage has to do by itself is done here: keys are checked, bytes counted and
 * hashed, limits kept and ranges cut to what there is.
 */
export class ProvidedBlobStore extends SendingBlobStore {
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

  override async read(key: string, range: ByteRange = {}): Promise<Readable> {
    assertByteRange(range);
    assertBlobKey(key);
    const { start = 0, end } = range;
    if (start === 0 && end === undefined) return this.stream(key, null);
    const bytes = rangeWithin(await this.size(key), range);
    return bytes ? this.stream(key, bytes) : Readable.from([]);
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

  protected override deleteOne(key: string): Promise<void> {
    return this.call('delete', (signal) => this.storage.delete(key, { signal }));
  }

  protected override async send(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
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
