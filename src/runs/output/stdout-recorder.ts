import { LineSplitter, type LineOptions } from './line-splitter.js';
import { MAX_OUTPUT_BYTES, type ParsedOutput } from './parse-output.js';

/** More blank lines in a row would not fit into a log. */
const MOST_BLANK_LINES = 10_000;
const NOT_WHITE_SPACE = /[^\s\ufeff]/;

/** The output as JSON text. */
type OutputResult = { json: string; error: null } | { json: null; error: string };

/**
 * Reads a run's standard output as it comes. It keeps as many bytes as an output may have, and passes lines on to the
 * log. A line goes to the log when the next one arrives, since the last one may be the output. A stream that begins
 * with `{` or `[` may be one JSON document, so none of it goes to the log before `finish` or `flush`.
 */
export class StdoutRecorder {
  private readonly splitter: LineSplitter;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private total = 0;
  /** Whether lines go to the log as they come; null until the first character is seen. */
  private streaming: boolean | null = null;
  /** The newest line with text in it, and the blank ones after it. */
  private newest: string[] = [];
  /** What `flush` passes on to the log of a stream that was held back. */
  private heldBack: readonly Buffer[];

  /** @param options whose `transform` applies to the log alone: masking the text of the output could break its JSON */
  constructor(
    private readonly onLine: (line: string) => void,
    private readonly options: LineOptions = {},
  ) {
    this.heldBack = this.kept;
    this.splitter = new LineSplitter((line) => this.take(line), {
      ...options,
      onSkipped: (lines, text) => {
        this.logNewest();
        options.onSkipped?.(lines, text);
      },
    });
  }

  push(chunk: Buffer): void {
    if (this.streaming === null) this.begin(chunk);
    if (this.streaming) this.splitter.push(chunk);
    this.keep(chunk);
  }

  /** Hands out the lines that have waited, see `LineOptions.isBehind`. */
  catchUp(): void {
    this.splitter.catchUp();
  }

  /** Standard output, or its beginning if it is too long: one byte more than is allowed. */
  get written(): Buffer {
    return Buffer.concat(this.kept);
  }

  /**
   * Call it when the stream of a run that exited with 0 has ended. Returns the output, and passes the rest of standard
   * output on to the log. If the output is refused afterwards because it does not match its schema, call `flush`.
   *
   * @param parsed what was found in `written`
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

  /** Passes everything on to the log that is not there yet: for a run that failed, whose output is not kept. */
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
    // One byte more than is allowed is kept, to show that it was too much.
    const room = MAX_OUTPUT_BYTES + 1 - this.keptBytes;
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
    const splitter = new LineSplitter(this.onLine, this.options);
    for (const part of parts) splitter.push(part);
    splitter.end();
  }
}
