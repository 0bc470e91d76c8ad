import { setTimeout as sleep } from 'node:timers/promises';

import type { LineArchive } from './log-collector.js';

const MiB = 1024 * 1024;
/** Of the lines of an attempt that the database does not keep. */
const MOST_WHOLE_BYTES = 256 * MiB;
const PART_BYTES = 4 * MiB;
const SLICE_BYTES = MiB / 2;
/** Parts that are stored at the same time. */
const MOST_AT_ONCE = 2;
/** What a part may have beyond its size: all that waits for its turn, which comes although the script is held up. */
const MOST_BEYOND = 2 * PART_BYTES;
/** A run does not wait any longer for its log at its end. */
const END_PATIENCE_MS = 30_000;

/** Lines that follow each other, to be stored together. */
export interface LogPart {
  firstLine: number;
  lines: number;
  /** In bytes. */
  size: number;
  /** Each line with its newline. */
  text: Buffer[];
}

export interface WholeLogLimits {
  mostBytes?: number;
  partBytes?: number;
  /** So long may the script be held up in all, because its lines come faster than they are stored. */
  holdUpMs?: number;
}

/**
 * The lines that the database does not keep, on their way to the file store: in parts, each once it is full. What comes faster than
 * parts are stored is left out, so memory is bounded.
 */
export class WholeLog implements LineArchive {
  private readonly mostBytes: number;
  private readonly partBytes: number;
  private holdUpMs: number;
  private open: OpenPart | null = null;
  /** In the order of their lines. */
  private readonly pending = new Map<OpenPart, Promise<void>>();
  private taken = 0;
  private takesMore = true;
  private heldUp: Promise<void> | null = null;

  /** @param store false: there is no use in storing more. It does not throw */
  constructor(
    private readonly store: (part: LogPart) => Promise<boolean>,
    { mostBytes = MOST_WHOLE_BYTES, partBytes = PART_BYTES, holdUpMs = 0 }: WholeLogLimits = {},
  ) {
    this.mostBytes = mostBytes;
    this.partBytes = partBytes;
    this.holdUpMs = holdUpMs;
  }

  get isOpen(): boolean {
    return this.takesMore;
  }

  get pendingFrom(): number | null {
    const [first = this.open] = this.pending.keys();
    return first?.firstLine ?? null;
  }

  /** For what the script has to wait before more is read of what it prints; null: for nothing. */
  get room(): Promise<void> | null {
    if (!this.takesMore || !this.isFull || this.holdUpMs <= 0) return null;
    return (this.heldUp ??= this.holdUp());
  }

  add(firstLine: number, lines: number, text: string | Buffer): void {
    if (!this.takesMore) return;
    const size = typeof text === 'string' ? Buffer.byteLength(text) + 1 : text.length;
    if (this.taken + size > this.mostBytes) return this.end();
    // Left out: the next part begins behind them.
    if (this.isFull && this.open!.size + size > this.partBytes + MOST_BEYOND) return;
    if (this.open && this.open.nextLine !== firstLine) this.send();
    this.open ??= new OpenPart(firstLine);
    this.open.add(lines, text, size);
    this.taken += size;
    if (this.open.size >= this.partBytes && this.pending.size < MOST_AT_ONCE) this.send();
  }

  /** Resolves once all is stored, as far as it can be. */
  async close(): Promise<void> {
    this.end();
    if (this.pending.size === 0) return;
    const stop = new AbortController();
    const patience = sleep(END_PATIENCE_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.pending.values()), patience]);
    stop.abort();
  }

  private get isFull(): boolean {
    return this.pending.size >= MOST_AT_ONCE && this.open !== null && this.open.size >= this.partBytes;
  }

  private end(): void {
    this.takesMore = false;
    if (this.open) this.send();
  }

  private send(): void {
    const part = this.open!;
    this.open = null;
    const stored = this.store(part.toStore()).then((isOfUse) => {
      this.pending.delete(part);
      if (!isOfUse) {
        this.takesMore = false;
        this.open = null;
      } else if (this.open && this.open.size >= this.partBytes) this.send();
    });
    this.pending.set(part, stored);
  }

  private async holdUp(): Promise<void> {
    const began = performance.now();
    const stop = new AbortController();
    const patience = sleep(this.holdUpMs, undefined, { signal: stop.signal }).catch(() => undefined);
    await Promise.race([...this.pending.values(), patience]);
    stop.abort();
    this.holdUpMs -= performance.now() - began;
    this.heldUp = null;
  }
}

/** A script may write each line by itself. A store need not. */
function inSlices(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / SLICE_BYTES);
  return Array.from({ length: count }, (_, slice) =>
    bytes.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
  );
}

class OpenPart {
  size = 0;
  private lines = 0;
  private texts: (string | Buffer)[] = [];

  constructor(readonly firstLine: number) {}

  get nextLine(): number {
    return this.firstLine + this.lines;
  }

  add(lines: number, text: string | Buffer, size: number): void {
    this.lines += lines;
    this.texts.push(text);
    this.size += size;
  }

  toStore(): LogPart {
    const { firstLine, lines, size } = this;
    const text: Buffer[] = [];
    let single: string[] = [];
    const join = (): void => {
      if (single.length > 0) text.push(Buffer.from(`${single.join('\n')}\n`));
      single = [];
    };
    for (const one of this.texts) {
      if (typeof one === 'string') single.push(one);
      else {
        join();
        text.push(one);
      }
    }
    join();
    this.texts = [];
    return { firstLine, lines, size, text: inSlices(Buffer.concat(text)) };
  }
}
