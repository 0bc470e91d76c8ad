import { LineSplitter, type LineOptions } from './line-splitter.js';
import type { OutputLimits, ParsedOutput } from './parse-output.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** More of them in a row would not fit into a log. */
const MOST_BLANK_LINES = 10_000;
const NOT_WHITE_SPACE = /[^\s\ufeff]/;

export interface StdoutOptions extends OutputLimits {
  /** Its `transform` applies to the log alone: masking the text of the output could break its JSON. */
  lines?: LineOptions;
}

/** The output as JSON text. */
export type OutputResult = { json: string; error: null } | { json: null; error: string };

/**
 * Takes a run's standard output while it comes: keeps as much as an output may have, and passes lines on to the log.
 *
 * Each line goes to the log when the next one arrives, for the newest may turn out to be the result. What begins with `{` or `[` is
 * held back whole, for it may be one JSON document; it reaches the log only by `finish` or `flush`.
 */
export class StdoutRecorder {
  private readonly maxBytes: number;
  private readonly splitter: LineSplitter;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private total = 0;
  /** Whether lines go to the log as they come; null until the first character is seen. */
  private streaming: boolean | null = null;
  /** The newest line with text in it, and the blank ones after it. */
  private newest: string[] = [];
  /** What was held back of a stream that is not passed on as it comes. */
  private heldBack: readonly Buffer[];

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly options: StdoutOptions = {},
  ) {
    this.maxBytes = options.maxBytes ?? MAX_OUTPUT_BYTES;
    this.heldBack = this.kept;
    this.splitter = new LineSplitter((line) => this.take(line), options.lines);
  }

  push(chunk: Buffer): void {
    if (this.streaming === null) this.begin(chunk);
    if (this.streaming) this.splitter.push(chunk);
    this.keep(chunk);
  }

  /** What was written, or one byte more of it than may be. */
  get written(): Buffer {
    return Buffer.concat(this.kept);
  }

  /**
   * The output of a run that exited with 0, as it was found in what was `written`. What of standard output is not the output goes to the log. Call it when the stream has ended.
   * Where the output is refused afterwards, because it does not match its schema, `flush` puts it into the log.
   */
  finish(parsed: ParsedOutput): OutputResult {
    if (parsed.kind === 'failure') {
      this.flush();
      return { json: null, error: parsed.error };
    }
    if (this.streaming) {
      this.splitter.end();
      if (parsed.kind === 'text') this.logNewest();
    } else if (parsed.kind === 'last-line') {
      this.logText([Buffer.from(parsed.before)]);
      this.heldBack = [Buffer.from(parsed.line)];
    }
    return { json: parsed.json, error: null };
  }

  /** Passes all of standard output that is not in the log yet on to it: for a run that failed, whose output is not kept. */
  flush(): void {
    if (this.streaming) {
      this.splitter.end();
      return this.logNewest();
    }
    this.logText(this.heldBack);
    if (this.total > this.keptBytes)
      this.onLine(`[standard output after ${this.keptBytes} bytes was dropped]`);
    this.heldBack = [];
  }

  private begin(chunk: Buffer): void {
    const first = NOT_WHITE_SPACE.exec(chunk.toString('utf8'))?.[0];
    if (first === undefined) return;
    this.streaming = first !== '{' && first !== '[';
    if (this.streaming) for (const blank of this.kept) this.splitter.push(blank);
  }

  private keep(chunk: Buffer): void {
    this.total += chunk.length;
    // One byte more than allowed shows that it was too much.
    const room = this.maxBytes + 1 - this.keptBytes;
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    this.kept.push(part);
    this.keptBytes += part.length;
  }

  private take(line: string): void {
    if (line.trim() !== '') for (const before of this.newest.splice(0)) this.onLine(before);
    if (this.newest.length <= MOST_BLANK_LINES) this.newest.push(line);
  }

  private logNewest(): void {
    for (const line of this.newest.splice(0)) this.onLine(line);
  }

  private logText(parts: readonly Buffer[]): void {
    const splitter = new LineSplitter(this.onLine, this.options.lines);
    for (const part of parts) splitter.push(part);
    splitter.end();
  }
}
