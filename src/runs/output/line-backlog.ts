import { MOST_BYTES, MOST_LINES } from './log-collector.js';
import { OpenLine, type RawLine } from './open-line.js';

const NEWLINE = 0x0a;

/** Whole lines as they came, each with its newline; or a single one, which may have been longer than what is kept of it. */
export type HeldLines = { bytes: Buffer; lines: number } | (RawLine & { lines: 1 });

/** Lines that wait until there is time for them: the newest, as many as a log keeps. Older ones are handed back by `add`. */
export class LineBacklog {
  private entries: HeldLines[] = [];
  private lines = 0;
  private bytes = 0;

  /** @returns what is pushed out */
  addLines(part: Buffer): HeldLines[] {
    const lines = newlinesIn(part);
    if (lines <= MOST_LINES) return this.add({ bytes: part, lines });
    let end = part.length - 1;
    for (let line = 0; line < MOST_LINES; line++) end = part.lastIndexOf(NEWLINE, end - 1);
    const older = this.add({ bytes: part.subarray(0, end + 1), lines: lines - MOST_LINES });
    return [...older, ...this.add({ bytes: part.subarray(end + 1), lines: MOST_LINES })];
  }

  /** @returns what is pushed out */
  addLine(line: RawLine): HeldLines[] {
    return this.add({ ...line, lines: 1 });
  }

  take(): HeldLines[] {
    const { entries } = this;
    this.entries = [];
    this.lines = this.bytes = 0;
    return entries;
  }

  private add(entry: HeldLines): HeldLines[] {
    // A copy, since a small part would keep all of the chunk that it came with.
    this.entries.push({ ...entry, bytes: Buffer.from(entry.bytes) });
    this.lines += entry.lines;
    this.bytes += entry.bytes.length;
    const out: HeldLines[] = [];
    for (let oldest = this.entries[0]!; this.isEnoughWithout(oldest); oldest = this.entries[0]!) {
      out.push(oldest);
      this.entries.shift();
      this.lines -= oldest.lines;
      this.bytes -= oldest.bytes.length;
    }
    return out;
  }

  private isEnoughWithout({ lines, bytes }: HeldLines): boolean {
    return this.lines - lines >= MOST_LINES || this.bytes - bytes.length >= MOST_BYTES;
  }
}

/** By index, since that takes a tenth of the time that an iterator takes. */
export function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === NEWLINE) count++;
  return count;
}

/** @param keepBytes of each line */
export function* linesOf(entry: HeldLines, keepBytes: number): Generator<RawLine> {
  if ('total' in entry) return yield entry;
  const { bytes } = entry;
  const line = new OpenLine(keepBytes);
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    line.append(bytes.subarray(start, end));
    yield line.take();
    start = end + 1;
  }
}
