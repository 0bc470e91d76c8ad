import { Readable } from 'node:stream';

import { TimeIsOver, untilAborted } from '../time-limit/index.js';

/**
 * Bytes on their way to an extension's storage. They say whether their source failed, which is not the storage's fault, and
 * whether all were taken; and they stop waiting for a storage that takes none. A source may be as slow as it likes.
 */
export class ArrivingBytes {
  /** One chunk at a time, so that memory holds no more. */
  readonly stream: Readable;
  /** What the source threw. */
  failure: { error: unknown } | null = null;
  areTaken = false;
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isEnded = false;

  constructor(
    source: AsyncIterable<Uint8Array>,
    private readonly stalledMs: number,
  ) {
    this.stream = Readable.from(this.watched(source), { objectMode: false, highWaterMark: 1 });
    // A storage that does not listen must not end the process.
    this.stream.on('error', () => undefined);
  }

  /** Lets `store` take them, for as long as it goes on doing so. */
  async give(store: (bytes: Readable, signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.over;
    this.begin();
    try {
      await Promise.race([store(this.stream, signal), untilAborted(signal)]);
    } finally {
      this.isEnded = true;
      clearTimeout(this.timer);
      this.stream.destroy();
    }
  }

  private async *watched(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      clearTimeout(this.timer);
      for await (const chunk of source) {
        this.begin();
        yield chunk;
        clearTimeout(this.timer);
      }
      this.areTaken = true;
    } catch (error) {
      this.failure = { error };
      throw error;
    } finally {
      this.begin();
    }
  }

  /** From now on it is the storage for which is waited. */
  private begin(): void {
    clearTimeout(this.timer);
    if (this.isEnded) return;
    const late = new TimeIsOver(`It took no byte for ${this.stalledMs / 1000} s.`);
    this.timer = setTimeout(() => this.over.abort(late), this.stalledMs);
  }
}
