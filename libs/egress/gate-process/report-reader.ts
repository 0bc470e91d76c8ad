import type { Readable } from 'node:stream';
import { parseReport, type Report } from './protocol.js';

const MOST_LINE_BYTES = 524_288;
const BYTES_PER_SECOND = 4_194_304;
const PAUSE_MS = 100;
const NEWLINE = 0x0a;

interface ReportReaderOptions {
  onReport: (report: Report) => void;
  /** It sent what no gate sends. Nothing more is read. */
  onViolation: () => void;
}

/** Reads the reports of a gate's process line by line. It limits their length and how fast it reads, whatever the process sends. */
export class ReportReader {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  /** Bytes that may be read until the end of this stretch of time. */
  private left = 0;
  private stretchEndsAt = 0;
  private ended = false;

  constructor(
    private readonly stream: Readable,
    private readonly options: ReportReaderOptions,
  ) {
    stream.on('data', (chunk: Buffer) => this.take(chunk));
    stream.on('error', () => undefined);
  }

  private take(chunk: Buffer): void {
    this.slowDown(chunk.length);
    for (let rest = chunk; !this.ended;) {
      const end = rest.indexOf(NEWLINE);
      const part = end < 0 ? rest : rest.subarray(0, end);
      this.pending.push(part);
      this.pendingBytes += part.length;
      if (this.pendingBytes > MOST_LINE_BYTES) return this.violated();
      if (end < 0) return;
      this.finishLine();
      rest = rest.subarray(end + 1);
    }
  }

  private finishLine(): void {
    const report = parseReport(Buffer.concat(this.pending).toString());
    this.pending = [];
    this.pendingBytes = 0;
    if (report === null) this.violated();
    else this.options.onReport(report);
  }

  /** What comes too fast stays in the pipe and, once that is full, with the gate. */
  private slowDown(bytes: number): void {
    const now = performance.now();
    if (now > this.stretchEndsAt) {
      this.stretchEndsAt = now + PAUSE_MS;
      this.left = (BYTES_PER_SECOND * PAUSE_MS) / 1000;
    }
    this.left -= bytes;
    if (this.left >= 0) return;
    this.stream.pause();
    setTimeout(() => {
      if (!this.ended) this.stream.resume();
    }, PAUSE_MS).unref();
  }

  private violated(): void {
    this.ended = true;
    this.pending = [];
    this.stream.destroy();
    this.options.onViolation();
  }
}
