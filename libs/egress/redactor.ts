import { Transform, type TransformCallback } from 'node:stream';
import { MASK, type SecretPatterns } from './secret-patterns.js';

export interface RedactorOptions {
  /** What may be the beginning of a secret is let go when nothing follows for this long, in ms. Default 50. */
  flushAfterMs?: number;
}

const MASK_BYTES = Buffer.from(MASK);

/**
 * Masks secret values in a stream of bytes, also where they are split over chunks. Only what may be the beginning of a
 * value is held back.
 */
export class Redactor extends Transform {
  /** The end of what came in that may be the beginning of a value. */
  private tail: Buffer = Buffer.alloc(0);
  /** How much of the tail has gone out. */
  private sent = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly flushAfterMs: number;

  constructor(
    private readonly patterns: SecretPatterns,
    { flushAfterMs = 50 }: RedactorOptions = {},
  ) {
    super();
    this.flushAfterMs = flushAfterMs;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    clearTimeout(this.timer);
    const bytes = this.tail.length === 0 ? chunk : Buffer.concat([this.tail, chunk]);
    this.send(bytes, this.patterns.heldFrom(bytes));
    if (this.tail.length > this.sent) this.timer = setTimeout(() => this.letGo(), this.flushAfterMs);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.letGo();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.timer);
    done(error);
  }

  /** Sends the tail but keeps looking: if it was a secret after all, the rest of it is masked. */
  private letGo(): void {
    clearTimeout(this.timer);
    const tail = this.tail;
    this.send(tail, tail.length);
    this.tail = tail;
    this.sent = tail.length;
  }

  /** Sends the bytes up to a position, masked, and keeps the others. */
  private send(bytes: Buffer, upTo: number): void {
    let from = this.sent;
    for (const [start, end] of this.patterns.find(bytes)) {
      if (end <= from) continue;
      if (start >= upTo) break;
      if (start > from) this.push(bytes.subarray(from, start));
      this.push(MASK_BYTES);
      from = end;
    }
    if (from < upTo) {
      this.push(bytes.subarray(from, upTo));
      from = upTo;
    }
    this.tail = Buffer.from(bytes.subarray(upTo));
    this.sent = from - upTo;
  }
}
