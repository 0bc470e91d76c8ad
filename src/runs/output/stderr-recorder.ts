import { LABEL_PREFIX, parseLabel, type PrintedLabel } from '../labels/printed-labels.js';
import { FailureReader } from './failure-reader.js';
import { LineSplitter, type LineOptions } from './line-splitter.js';
import { type OutputView, parseView, VIEW_PREFIX } from './output-view.js';
import { parseProgress, PROGRESS_PREFIX, type Progress } from './progress-line.js';

interface StderrSinks {
  onLine: (line: string) => void;
  onProgress: (progress: Progress) => void;
  onLabel: (label: PrintedLabel) => void;
  onView: (view: OutputView) => void;
}

/** Splits a run's standard error, as it comes, into reports of progress, labels, a view and lines of the log. */
export class StderrRecorder {
  private readonly splitter: LineSplitter;
  private readonly reader = new FailureReader();

  constructor(
    private readonly sinks: StderrSinks,
    options: LineOptions = {},
  ) {
    this.splitter = new LineSplitter((line) => this.take(line), {
      ...options,
      neverSkip: [PROGRESS_PREFIX, LABEL_PREFIX, VIEW_PREFIX],
    });
  }

  push(chunk: Buffer): void {
    this.splitter.push(chunk);
  }

  /** Hands out the lines that have waited, see `LineOptions.isBehind`. */
  catchUp(): void {
    this.splitter.catchUp();
  }

  end(): void {
    this.splitter.end();
  }

  /** What it says about why the program ended, see `FailureReader`. */
  failure(code: number | null, isFunction: boolean): string | null {
    return this.reader.failure(code, isFunction)?.text ?? null;
  }

  private take(line: string): void {
    const progress = parseProgress(line);
    if (progress) return this.sinks.onProgress(progress);
    const label = parseLabel(line);
    if (label) return this.sinks.onLabel(label);
    const view = parseView(line);
    if (view) return this.sinks.onView(view);
    this.reader.add(line);
    this.sinks.onLine(line);
  }
}
