const MAX_LINES = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

export interface LogLimits {
  maxLines?: number;
  /** The most bytes of UTF-8 of all lines together. */
  maxBytes?: number;
}

/** Passes a run's log lines on until a limit is reached, then says so in one line and drops the rest. */
export class LogCollector {
  private readonly maxLines: number;
  private readonly maxBytes: number;
  private lines = 0;
  private bytes = 0;
  private dropping = false;

  constructor(
    private readonly store: (line: string) => void,
    { maxLines = MAX_LINES, maxBytes = MAX_BYTES }: LogLimits = {},
  ) {
    this.maxLines = maxLines;
    this.maxBytes = maxBytes;
  }

  /** Whether further lines would be dropped. */
  get full(): boolean {
    return this.dropping;
  }

  /** How many lines were passed on, with the notice of the limit. */
  get count(): number {
    return this.lines;
  }

  add(line: string): void {
    if (this.dropping) return;
    const bytes = Buffer.byteLength(line);
    const limit =
      this.lines >= this.maxLines
        ? `${this.maxLines.toLocaleString('en-US')} lines`
        : this.bytes + bytes > this.maxBytes
          ? `${(this.maxBytes / 1024 / 1024).toLocaleString('en-US')} MiB`
          : null;
    if (limit !== null) {
      this.dropping = true;
      line = `[the rest of the log was dropped: a log is at most ${limit}]`;
    }
    this.bytes += bytes;
    this.lines++;
    this.store(line);
  }
}
