import { Transform, type TransformCallback } from 'node:stream';
import { badArchive, MAX_TAR_BYTES } from './archive-limits.js';

const BLOCK = 512;
const ZEROS = Buffer.alloc(BLOCK);

/**
 * Passes a tar stream on, refuses one that is too long, and remembers where its all-zero blocks are. A zero block in the place of a header
 * ends an archive for `tar`, but not for the parser behind this: entries after it would run here and be invisible to a reviewer.
 */
export class BlockWatch extends Transform {
  private size = 0;
  private partial: Buffer = Buffer.alloc(0);
  /** Ranges of zero blocks, `[from, to)` in bytes, in order. */
  private zeros: [number, number][] = [];

  /** Whether a block of zeros begins at `offset`. What lies before it is forgotten. */
  endsAt(offset: number): boolean {
    const keep = this.zeros.findIndex(([, to]) => to > offset);
    this.zeros = keep < 0 ? [] : this.zeros.slice(keep);
    const range = this.zeros[0];
    return range !== undefined && range[0] <= offset;
  }

  /** Whether nothing but zeros follows `offset`; asked at the end of the stream. */
  endsFrom(offset: number): boolean {
    if (this.partial.some((byte) => byte !== 0)) return false;
    const end = this.size - this.partial.length;
    return offset >= end || (this.endsAt(offset) && this.zeros[0]![1] === end);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = this.size - this.partial.length;
    this.size += chunk.length;
    if (this.size > MAX_TAR_BYTES) return done(badArchive('unpacks to more than 200 MB'));
    const bytes = this.partial.length > 0 ? Buffer.concat([this.partial, chunk]) : chunk;
    const whole = bytes.length - (bytes.length % BLOCK);
    for (let at = 0; at < whole; at += BLOCK, start += BLOCK) {
      if (bytes.compare(ZEROS, 0, BLOCK, at, at + BLOCK) === 0) this.note(start);
    }
    this.partial = Buffer.from(bytes.subarray(whole));
    done(null, bytes.subarray(0, whole));
  }

  /** Zeros that fill no block are padding, which the parser does not take. */
  override _flush(done: TransformCallback): void {
    done(null, this.partial.some((byte) => byte !== 0) ? this.partial : null);
  }

  private note(start: number): void {
    const last = this.zeros.at(-1);
    if (last && last[1] === start) last[1] = start + BLOCK;
    else this.zeros.push([start, start + BLOCK]);
  }
}
