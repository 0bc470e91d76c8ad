import { Transform, type TransformCallback } from 'node:stream';
import { MASK, type SecretPatterns } from './secret-patterns.js';

export interface RedactorOptions {
  /** The first few bytes of what may be a secret are let go when nothing follows for this long, in ms. Default 50. */
  flushAfterMs?: number;
}

const MASK_BYTES = Buffer.from(MASK);
/**
 * No more than this of what may be a secret is let go before it is known to be none: a host that answers drop by drop
 * would otherwise give nearly all of it away.
 */
const MOST_LET_GO_BYTES = 3;

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
    if (this.tail.length > this.sent)
      this.timer = setTimeout(() => this.letGo(this.harmless()), this.flushAfterMs);
    done();
  }

  override _flush(done: TransformCallback): void {
    clearTimeout(this.timer);
    this.letGo(this.tail.length);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.timer);
    done(error);
  }

  /** How much of the tail tells next to nothing: all when it is short, otherwise a whole value that it begins with. */
  private harmless(): number {
    const { tail, patterns } = this;
    if (tail.length <= MOST_LET_GO_BYTES) return tail.length;
    const [start, end] = patterns.find(tail)[0] ?? [tail.length, 0];
    return start <= MOST_LET_GO_BYTES ? end : 0;
  }

  /** Sends the tail up to a position but keeps looking: if it was a secret after all, the rest of it is masked. */
  private letGo(upTo: number): void {
    if (upTo <= this.sent) return;
    const tail = this.tail;
    this.send(tail, upTo);
    this.tail = tail;
    this.sent = upTo;
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
