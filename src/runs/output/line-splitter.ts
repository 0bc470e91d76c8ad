import { cutToBytes, storableText } from './storable-text.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MAX_LINE_BYTES = 4096;
const LOOKAHEAD_BYTES = 8192;
const EMPTY = Buffer.alloc(0);

export interface LineOptions {
  /** The most bytes of UTF-8 that a line may have; if it is cut, with the notice of that. Default 4,096. */
  maxBytes?: number;
  /** Applied to a line before it is cut, such as masking secrets. */
  transform?: (line: string) => string;
  /** How many bytes beyond the cut the transform sees: at least the longest text that it replaces. Default 8,192. */
  lookahead?: number;
  /** While this returns true, lines are skipped, which costs little. The last one skipped is handed out by `end`. */
  skipping?: () => boolean;
  /** A line that begins with this is not skipped. */
  neverSkip?: string;
}

/**
 * Splits a stream of bytes into lines of text.
 *
 * A line ends at `\n` or `\r\n`. A `\r` inside goes back to the line's start, as on a terminal, so that the last state of a
 * progress bar becomes the line. Bytes that are not UTF-8, and NUL, become U+FFFD. A line that is too long is cut and says
 * so. Memory is bounded.
 */
export class LineSplitter {
  private readonly maxBytes: number;
  private readonly keepBytes: number;
  private readonly lookahead: number;
  private readonly transform: (line: string) => string;
  private readonly skipping: () => boolean;
  private readonly neverSkip: Buffer | null;
  /** The last line that was skipped, with its full length. */
  private skipped: [bytes: Buffer, total: number] | null = null;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private lineBytes = 0;
  private returned = false;
  private open = false;

  constructor(
    private readonly onLine: (line: string) => void,
    options: LineOptions = {},
  ) {
    const { maxBytes = MAX_LINE_BYTES, lookahead = LOOKAHEAD_BYTES } = options;
    this.maxBytes = maxBytes;
    this.lookahead = lookahead;
    this.keepBytes = maxBytes + lookahead;
    this.transform = options.transform ?? ((line) => line);
    this.skipping = options.skipping ?? (() => false);
    this.neverSkip = options.neverSkip === undefined ? null : Buffer.from(options.neverSkip);
  }

  push(chunk: Buffer): void {
    if (this.skipping()) chunk = this.skipAhead(chunk);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.append(chunk.subarray(start, end));
      this.emit();
      start = end + 1;
    }
    if (start < chunk.length) this.append(chunk.subarray(start));
  }

  /** Hands out the rest after the last newline, or the last line that was skipped. */
  end(): void {
    if (this.open) this.emit();
    if (this.skipped) this.handOut(...this.skipped);
    this.skipped = null;
  }

  /** What is read of a chunk while lines are skipped: its last line with text, or all of it if a line must not be skipped. */
  private skipAhead(chunk: Buffer): Buffer {
    if (this.neverSkip && chunk.includes(this.neverSkip)) return chunk;
    if (this.open) {
      const first = chunk.indexOf(NEWLINE);
      if (first < 0) return chunk;
      this.append(chunk.subarray(0, first));
      this.emit();
      chunk = chunk.subarray(first + 1);
    }
    let last = chunk.length - 1;
    while (last >= 0 && chunk[last] === NEWLINE) last--;
    if (last < 0) return EMPTY;
    return chunk.subarray(chunk.lastIndexOf(NEWLINE, last) + 1, last + 2);
  }

  private append(part: Buffer): void {
    this.open = true;
    if (part.length === 0) return;
    let end = part.length;
    while (end > 0 && part[end - 1] === CARRIAGE_RETURN) end--;
    if (end > 0) {
      // A `\r` before a newline is part of the line's end. Before anything else it lets that overwrite the line.
      const returnAt = part.lastIndexOf(CARRIAGE_RETURN, end - 1);
      if (this.returned || returnAt >= 0) this.clear();
      this.hold(part.subarray(returnAt + 1, end));
    }
    this.returned = end < part.length;
  }

  private hold(part: Buffer): void {
    this.lineBytes += part.length;
    const room = this.keepBytes - this.heldBytes;
    if (room <= 0) return;
    const kept = part.subarray(0, room);
    this.held.push(kept);
    this.heldBytes += kept.length;
  }

  private clear(): void {
    this.held = [];
    this.heldBytes = 0;
    this.lineBytes = 0;
  }

  private emit(): void {
    const bytes = this.held.length > 1 ? Buffer.concat(this.held) : (this.held[0] ?? EMPTY);
    const total = this.lineBytes;
    this.clear();
    this.returned = false;
    this.open = false;
    if (
      !this.skipping() ||
      (this.neverSkip && bytes.subarray(0, this.neverSkip.length).equals(this.neverSkip))
    ) {
      this.skipped = null;
      this.handOut(bytes, total);
    } else if (total > 0) this.skipped = [bytes, total];
  }

  private handOut(bytes: Buffer, total: number): void {
    let text = this.transform(storableText(bytes.toString('utf8')));
    if (total > bytes.length) {
      // What was kept may end within a text that the transform would have replaced, so its end is left out.
      text = cutToBytes(text, Math.max(0, Buffer.byteLength(text) - this.lookahead));
    } else if (Buffer.byteLength(text) <= this.maxBytes) return this.onLine(text);
    const notice = ` … [cut: the line has ${total} bytes, ${this.maxBytes} is the most]`;
    this.onLine(cutToBytes(text, this.maxBytes - Buffer.byteLength(notice)) + notice);
  }
}
