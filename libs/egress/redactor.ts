import { Transform, type TransformCallback } from 'node:stream';
import { HeldBytes } from './held-bytes.js';
import { MASK, type PatternSearch, type SecretPatterns, type Span } from './secret-patterns.js';

const MASK_BYTES = Buffer.from(MASK);
const STAR = '*'.charCodeAt(0);

export interface RedactorOptions {
  /** Whether what is masked stays as long as it was: of a part of a body, each byte has its place. Default: no. */
  keepsLength?: boolean;
}

/**
 * Masks secret values in a stream of bytes, also where they are split over chunks.
 *
 * A script chooses what many hosts respond, so what it sees must not tell how much of a guess was right. The last bytes
 * are always held back, one fewer than the longest pattern has, until more come or the end: never more of them, or
 * fewer, because they look like a secret. For each piece that comes in at most one goes out; sizes and times of the
 * pieces follow from those of what came in, and from secrets that were there as a whole.
 */
export class Redactor extends Transform {
  private readonly held = new HeldBytes();
  private readonly heldBack: number;
  private readonly search: PatternSearch;
  /** What has to be masked and has not gone out completely. */
  private readonly spans: Span[] = [];
  /** How many of the bytes that came in are behind us. */
  private gone = 0;

  private readonly keepsLength: boolean;

  constructor(patterns: SecretPatterns, { keepsLength = false }: RedactorOptions = {}) {
    super();
    this.keepsLength = keepsLength;
    this.heldBack = Math.max(0, patterns.longest - 1);
    this.search = patterns.search();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.search.read(chunk, this.spans);
    this.held.add(chunk);
    // No secret that is still incomplete begins before this.
    this.letGo(Math.max(0, this.held.length - this.heldBack));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.letGo(this.held.length);
    done();
  }

  /** Sends the first bytes of those that are held, masked. */
  private letGo(count: number): void {
    const upTo = this.gone + count;
    const parts: Buffer[] = [];
    let over = 0;
    for (const [start, end] of this.spans) {
      if (start >= upTo) break;
      if (start >= this.gone) parts.push(...this.release(start), ...(this.keepsLength ? [] : [MASK_BYTES]));
      const masked = Math.min(end, upTo);
      if (this.keepsLength) parts.push(Buffer.alloc(masked - this.gone, STAR));
      this.release(masked);
      if (end <= upTo) over += 1;
    }
    this.spans.splice(0, over);
    parts.push(...this.release(upTo));
    const piece = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (piece.length > 0) this.push(piece);
  }

  private release(upTo: number): Buffer[] {
    const taken = this.held.take(upTo - this.gone);
    this.gone = upTo;
    return taken;
  }
}
