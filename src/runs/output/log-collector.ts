/** The first lines of a log are kept whatever follows: at most so many, and a quarter of the bytes. */
export const HEAD_LINES = 2_000;
const HEAD_SHARE = 1 / 4;
/** Of all lines that are kept together. */
export const MOST_LINES = 10_000;
export const MOST_BYTES = 4 * 1024 * 1024;
/** Lines that are dropped unread are counted up to here, so that a line's number fits wherever it goes. */
const MOST_COUNTED = 900_000_000;
/** A chunk is written anew when a part of it is dropped. */
const CHUNK_LINES = 500;

/** Lines that follow each other, and are stored together. */
interface LogChunk {
  firstLine: number;
  lines: string[];
}

/** How what is stored of a log has to change. */
export interface LogChange {
  /** How many lines there have been, which is the number of the next one. */
  count: number;
  chunks: LogChunk[];
  /** Stored lines that are not kept any longer: from this number on, up to and without that one. */
  dropped: { from: number; to: number } | null;
}

export interface LogLimits {
  headLines?: number;
  maxLines?: number;
  /** The most bytes of UTF-8 of all lines together. */
  maxBytes?: number;
}

/** Where lines go that the database does not keep. */
export interface LineArchive {
  /** Whether it takes more. */
  readonly isOpen: boolean;
  /** Lines from here on are on their way there, and stay in the database until they have arrived; null: none are. */
  readonly pendingFrom: number | null;
  /** Lines that follow each other: one without its newline, or the bytes of several, each with its own. */
  add(firstLine: number, lines: number, text: string | Buffer): void;
}

interface Line {
  number: number;
  /** Empty once it is stored, and nothing else needs it. */
  text: string;
  bytes: number;
}

/**
 * Keeps the first lines of a run's log and its last ones, within the limits: what is said last is never lost. A line's
 * number is its place among all that were printed. Numbers jump over what was dropped.
 */
export class LogCollector {
  private readonly headLines: number;
  private readonly maxLines: number;
  private readonly maxBytes: number;
  private count = 0;
  private readonly head = { lines: 0, bytes: 0, isOpen: true };
  private unstoredHead: Line[] = [];
  /** The last lines that are kept, stored or not. */
  private readonly tail: Line[] = [];
  private tailBytes = 0;
  /** Lines with smaller numbers are stored, if they are kept. */
  private storedTo = 0;
  /** The first line of the tail that is stored; null: none. */
  private storedFrom: number | null = null;
  private lostUnstored = false;
  /** Lines with smaller numbers are in the archive, unless the beginning has them. */
  private archivedTo = 0;

  constructor(
    { headLines = HEAD_LINES, maxLines = MOST_LINES, maxBytes = MOST_BYTES }: LogLimits = {},
    private readonly archive: LineArchive | null = null,
  ) {
    this.headLines = headLines;
    this.maxLines = maxLines;
    this.maxBytes = maxBytes;
  }

  /** Whether lines come faster than they are stored, so that some were dropped which nobody could read. */
  get isBehind(): boolean {
    return this.lostUnstored;
  }

  /** Whether some stored lines are not kept any longer. */
  get isDropping(): boolean {
    return this.storedFrom !== null && this.tail[0]!.number > this.storedFrom;
  }

  add(text: string): void {
    const line = { number: this.count++, text, bytes: Buffer.byteLength(text) };
    if (this.takesIntoHead(line)) return void this.unstoredHead.push(line);
    this.tail.push(line);
    this.tailBytes += line.bytes;
    while (this.holdsTooMuch) {
      const oldest = this.tail.shift()!;
      this.tailBytes -= oldest.bytes;
      this.putIntoArchive(oldest);
      this.lostUnstored ||= oldest.number >= this.storedTo;
    }
  }

  /** Lines that were dropped before they came here. All that are here will be dropped before those that come next are. */
  skip(lines: number, text?: () => Buffer): void {
    if (text && this.archive?.isOpen) {
      if (this.archivedTo < this.count) for (const line of this.tail) this.putIntoArchive(line);
      this.archive.add(this.count, lines, text());
      this.archivedTo = this.count + lines;
    }
    this.count = Math.max(this.count, Math.min(this.count + lines, MOST_COUNTED));
  }

  /** `stored` is called with it once it has been done. Until then it is asked for again. */
  get change(): LogChange {
    const tail = this.tail.filter(({ number }) => number >= this.storedTo);
    const chunks = [...chunksOf(this.unstoredHead), ...chunksOf(tail)];
    const dropped = this.isDropping ? this.dropped : null;
    return { count: this.count, chunks, dropped };
  }

  stored({ count, chunks, dropped }: LogChange): void {
    this.storedTo = count;
    this.lostUnstored = false;
    this.unstoredHead = this.unstoredHead.filter(({ number }) => number >= count);
    for (const line of this.tail) if (line.number < count && !this.mayBeArchived(line)) line.text = '';
    const first = chunks.find(({ firstLine }) => firstLine >= this.head.lines)?.firstLine;
    this.storedFrom = dropped?.to ?? this.storedFrom ?? first ?? null;
  }

  private get dropped(): LogChange['dropped'] {
    const to = Math.min(this.tail[0]!.number, this.archive?.pendingFrom ?? Infinity);
    return to > this.storedFrom! ? { from: this.head.lines, to } : null;
  }

  private putIntoArchive(line: Line): void {
    if (!this.mayBeArchived(line)) return;
    this.archive!.add(line.number, 1, line.text);
    this.archivedTo = line.number + 1;
  }

  private mayBeArchived({ number }: Line): boolean {
    return this.archive !== null && this.archive.isOpen && number >= this.archivedTo;
  }

  private takesIntoHead({ bytes }: Line): boolean {
    const { head } = this;
    head.isOpen &&= head.lines < this.headLines && head.bytes + bytes <= this.maxBytes * HEAD_SHARE;
    if (!head.isOpen) return false;
    head.lines++;
    head.bytes += bytes;
    return true;
  }

  private get holdsTooMuch(): boolean {
    const lines = this.head.lines + this.tail.length;
    return lines > this.maxLines || this.head.bytes + this.tailBytes > this.maxBytes;
  }
}

function chunksOf(lines: readonly Line[]): LogChunk[] {
  const chunks: LogChunk[] = [];
  let chunk: LogChunk | undefined;
  for (const { number, text } of lines) {
    if (!chunk || number !== chunk.firstLine + chunk.lines.length || chunk.lines.length === CHUNK_LINES) {
      chunk = { firstLine: number, lines: [] };
      chunks.push(chunk);
    }
    chunk.lines.push(text);
  }
  return chunks;
}
