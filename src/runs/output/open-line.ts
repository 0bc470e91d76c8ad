const CARRIAGE_RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);

/** A line's bytes, as many as are kept of them, and how many it had. */
export interface RawLine {
  bytes: Buffer;
  total: number;
}

/**
 * A line whose end has not come yet. A `\r` inside goes back to the line's start, as on a terminal: the last state of a
 * progress bar becomes the line. However long it gets, at most `keepBytes` of it are kept.
 */
export class OpenLine {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private total = 0;
  private returned = false;
  private begun = false;

  constructor(private readonly keepBytes: number) {}

  /** Whether there is anything of it, if only a `\r`. */
  get isOpen(): boolean {
    return this.begun;
  }

  append(part: Buffer): void {
    this.begun = true;
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

  /** The line, for its end has come; the next one begins. */
  take(): RawLine {
    const bytes = this.held.length > 1 ? Buffer.concat(this.held) : (this.held[0] ?? EMPTY);
    const line = { bytes, total: this.total };
    this.clear();
    this.returned = false;
    this.begun = false;
    return line;
  }

  private hold(part: Buffer): void {
    this.total += part.length;
    const room = this.keepBytes - this.heldBytes;
    if (room <= 0) return;
    const kept = part.subarray(0, room);
    this.held.push(kept);
    this.heldBytes += kept.length;
  }

  private clear(): void {
    this.held = [];
    this.heldBytes = 0;
    this.total = 0;
  }
}
