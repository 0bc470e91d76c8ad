import { type HeldLines, LineBacklog, linesOf } from './line-backlog.js';
import { OpenLine, type RawLine } from './open-line.js';
import { cutToBytes, storableText } from './storable-text.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Of UTF-8; of a line that is cut, with the notice of that. */
const MAX_LINE_BYTES = 4096;
const LOOKAHEAD_BYTES = 8192;

export interface LineOptions {
  /** Applied to a line before it is cut, such as masking secrets. */
  transform?: (line: string) => string;
  /** How many bytes beyond the cut the transform sees: at least the longest text that it replaces. Default 8,192. */
  lookahead?: number;
  /** While this returns true, lines wait for `catchUp`, which costs little. Only the newest are kept. */
  isBehind?: () => boolean;
  /** Told how many lines were dropped because too many newer ones wait; `text` makes them what they would have been, each with a newline. */
  onSkipped?: (lines: number, text: () => Buffer) => void;
  /** A line that begins with one of these is not dropped. */
  neverSkip?: readonly string[];
}

/**
 * Splits a stream of bytes into lines of text.
 *
 * A line ends at `\n` or `\r\n`, see `OpenLine` for a `\r` inside. Bytes that are not UTF-8, and NUL, become U+FFFD. A line
 * that is too long is cut and says so. Memory is bounded.
 */
export class LineSplitter {
  private readonly keepBytes: number;
  private readonly lookahead: number;
  private readonly neverSkip: readonly Buffer[];
  private readonly newest: OpenLine;
  private readonly backlog = new LineBacklog();

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly options: LineOptions = {},
  ) {
    this.lookahead = options.lookahead ?? LOOKAHEAD_BYTES;
    this.keepBytes = MAX_LINE_BYTES + this.lookahead;
    this.newest = new OpenLine(this.keepBytes);
    this.neverSkip = (options.neverSkip ?? []).map((text) => Buffer.from(text));
  }

  push(chunk: Buffer): void {
    if (this.options.isBehind?.()) return this.putBack(chunk);
    this.catchUp();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.newest.append(chunk.subarray(start, end));
      this.handOut(this.newest.take());
      start = end + 1;
    }
    if (start < chunk.length) this.newest.append(chunk.subarray(start));
  }

  /** Hands out the lines that have waited. */
  catchUp(): void {
    for (const entry of this.backlog.take()) {
      for (const line of this.linesOf(entry)) this.handOut(line);
    }
  }

  /** Hands out what waits, and the rest after the last newline. */
  end(): void {
    this.catchUp();
    if (this.newest.isOpen) this.handOut(this.newest.take());
  }

  /** Puts whole lines into the backlog. */
  private putBack(chunk: Buffer): void {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) return this.newest.append(chunk);
    let start = 0;
    if (this.newest.isOpen) {
      start = chunk.indexOf(NEWLINE) + 1;
      this.newest.append(chunk.subarray(0, start - 1));
      this.drop(this.backlog.addLine(this.newest.take()));
    }
    if (start <= last) this.drop(this.backlog.addLines(chunk.subarray(start, last + 1)));
    if (last + 1 < chunk.length) this.newest.append(chunk.subarray(last + 1));
  }

  private drop(entries: readonly HeldLines[]): void {
    for (const entry of entries) {
      if (!this.neverSkip.some((text) => entry.bytes.includes(text))) {
        this.options.onSkipped?.(
          entry.lines,
          () => this.textAtOnce(entry) ?? this.textOfAll(this.linesOf(entry)),
        );
        continue;
      }
      const skipped: RawLine[] = [];
      for (const line of this.linesOf(entry)) {
        if (this.neverSkip.some((text) => line.bytes.subarray(0, text.length).equals(text)))
          this.handOut(line);
        else skipped.push(line);
      }
      if (skipped.length > 0) this.options.onSkipped?.(skipped.length, () => this.textOfAll(skipped));
    }
  }

  private linesOf(entry: HeldLines): Iterable<RawLine> {
    return linesOf(entry, this.keepBytes);
  }

  private textOfAll(lines: Iterable<RawLine>): Buffer {
    return Buffer.from(Array.from(lines, (line) => `${this.textOf(line)}\n`).join(''));
  }

  /** Where no line of them has to be changed, as mostly: a tenth of the work. */
  private textAtOnce(entry: HeldLines): Buffer | null {
    if ('total' in entry || !areAsTheyWillBe(entry.bytes)) return null;
    const text = entry.bytes.toString('utf8');
    if (Buffer.byteLength(text) !== entry.bytes.length || storableText(text) !== text) return null;
    return (this.options.transform?.(text) ?? text) === text ? Buffer.from(text) : null;
  }

  private handOut(line: RawLine): void {
    this.onLine(this.textOf(line));
  }

  private textOf({ bytes, total }: RawLine): string {
    let text = storableText(bytes.toString('utf8'));
    if (this.options.transform) text = this.options.transform(text);
    if (total > bytes.length) {
      // What was kept may end within a text that the transform would have replaced, so its end is left out.
      text = cutToBytes(text, Math.max(0, Buffer.byteLength(text) - this.lookahead));
    } else if (Buffer.byteLength(text) <= MAX_LINE_BYTES) return text;
    const notice = ` … [cut: the line has ${total} bytes, ${MAX_LINE_BYTES} is the most]`;
    return cutToBytes(text, MAX_LINE_BYTES - Buffer.byteLength(notice)) + notice;
  }
}

/** Whether none is too long, and none goes back to its start. */
function areAsTheyWillBe(lines: Buffer): boolean {
  if (lines.includes(CARRIAGE_RETURN)) return false;
  for (let start = 0; lines.length - start > MAX_LINE_BYTES;) {
    // The last one that ends within what a line may have.
    const end = lines.lastIndexOf(NEWLINE, start + MAX_LINE_BYTES);
    if (end < start) return false;
    start = end + 1;
  }
  return true;
}
