import { Readable } from 'node:stream';

import { inTime } from '../time-limit/index.js';

interface ProvidedStreamOptions {
  /** Whoever gives the bytes has so long for each chunk. */
  chunkMs: number;
  /** How many bytes there have to be; null: that is not known. */
  expected: number | null;
  /** What becomes of an error of theirs. */
  failed: (error: unknown) => Error;
}

/** Bytes that an extension's storage gives: each chunk in time, and as many as were asked for. */
export class ProvidedStream extends Readable {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private count = 0;

  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly options: ProvidedStreamOptions,
  ) {
    super();
    this.chunks = source[Symbol.asyncIterator]();
  }

  override _read(): void {
    this.next().then(
      (chunk) => this.push(chunk),
      (error: unknown) => this.destroy(this.options.failed(error)),
    );
  }

  /** At once, though a chunk may be waited for: nobody reads on. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.source instanceof Readable) this.source.destroy();
    else void Promise.resolve(this.chunks.return?.()).catch(() => undefined);
    done(error);
  }

  private async next(): Promise<Uint8Array | null> {
    const { chunkMs, expected } = this.options;
    for (;;) {
      const { done, value } = await inTime({ ms: chunkMs }, () => this.chunks.next());
      this.count += done ? 0 : value.byteLength;
      if (expected !== null && (done ? this.count !== expected : this.count > expected)) {
        throw new RangeError('A storage gave another number of bytes than it was asked for.');
      }
      if (done) return null;
      // An empty chunk is none to a stream, which would wait for ever.
      if (value.byteLength > 0) return value;
    }
  }
}
