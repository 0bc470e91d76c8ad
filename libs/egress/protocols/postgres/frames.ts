import { HEADER_BYTES, lengthAt } from './messages.js';

/**
 * What becomes of a message:
 * `pass` goes on as it comes, `announce` likewise after `announced`, `hold` is given whole to `held`, `drop` is skipped after
 * `dropped`, `stop` waits with all that follows. When one of the functions is called, all that came before has gone on.
 */
export type Verdict = 'pass' | 'announce' | 'hold' | 'drop' | 'stop';

export interface FrameHandler {
  /** Decides by the header alone. @param length of the whole message */
  header(type: number, length: number): Verdict;
  /** A whole message that was to be held. */
  held(type: number, whole: Buffer): void;
  announced(type: number): void;
  dropped(type: number): void;
  /** Bytes that go on. */
  pass(bytes: Buffer): void;
  /** No message can be as short as this one says. */
  malformed(): void;
}

/**
 * Follows the messages of a stream. Bodies that nobody has to read go on in the pieces in which they came: only the
 * headers are looked at.
 */
export class Frames {
  /** Of the current message, bytes that are still to come. */
  private left = 0;
  private dropping = false;
  private held: Buffer | null = null;
  private heldBytes = 0;
  private readonly begun = Buffer.alloc(HEADER_BYTES);
  private begunBytes = 0;

  constructor(private readonly handler: FrameHandler) {}

  /** Whether the last message is complete. */
  get isBetween(): boolean {
    return this.left === 0 && this.begunBytes === 0;
  }

  /** @returns what was not read, after a `stop`: to be read again later */
  read(chunk: Buffer): Buffer | null {
    const { handler } = this;
    let at = 0;
    let passed = 0;
    while (at < chunk.length) {
      if (this.left > 0) {
        const step = Math.min(this.left, chunk.length - at);
        if (this.held) this.keep(this.held, chunk, at, step);
        this.left -= step;
        at += step;
        if (this.held || this.dropping) passed = at;
        if (this.left === 0) this.end();
        continue;
      }
      let header = chunk;
      let start = at;
      if (this.begunBytes > 0 || chunk.length - at < HEADER_BYTES) {
        if (at > passed) handler.pass(chunk.subarray(passed, at));
        const step = chunk.copy(this.begun, this.begunBytes, at, at + HEADER_BYTES - this.begunBytes);
        this.begunBytes += step;
        at += step;
        passed = at;
        if (this.begunBytes < HEADER_BYTES) return null;
        header = this.begun;
        start = 0;
      }
      const own = header === this.begun;
      const length = lengthAt(header, start) + 1;
      if (length < HEADER_BYTES) {
        handler.malformed();
        return null;
      }
      const verdict = handler.header(header[start]!, length);
      if (verdict === 'stop') {
        if (!own && at > passed) handler.pass(chunk.subarray(passed, at));
        const rest = chunk.subarray(at);
        this.begunBytes = 0;
        return own ? Buffer.concat([this.begun, rest]) : rest;
      }
      this.begunBytes = 0;
      this.left = length - HEADER_BYTES;
      if (!own) at += HEADER_BYTES;
      if (verdict === 'pass') {
        if (own) handler.pass(Buffer.from(this.begun));
        continue;
      }
      if (!own && start > passed) handler.pass(chunk.subarray(passed, start));
      if (verdict === 'announce') {
        handler.announced(header[start]!);
        passed = start;
        if (own) {
          handler.pass(Buffer.from(this.begun));
          passed = at;
        }
        continue;
      }
      passed = at;
      if (verdict === 'drop') {
        handler.dropped(header[start]!);
        this.dropping = true;
      } else {
        this.held = Buffer.allocUnsafe(length);
        header.copy(this.held, 0, start, start + HEADER_BYTES);
        this.heldBytes = HEADER_BYTES;
      }
      if (this.left === 0) this.end();
    }
    if (at > passed) handler.pass(chunk.subarray(passed, at));
    return null;
  }

  private keep(held: Buffer, chunk: Buffer, at: number, step: number): void {
    chunk.copy(held, this.heldBytes, at, at + step);
    this.heldBytes += step;
  }

  private end(): void {
    const { held } = this;
    this.dropping = false;
    this.held = null;
    if (held) this.handler.held(held[0]!, held);
  }
}
