import type { LiveState } from './run-execution.repository.js';
import { LogCollector } from '../output/log-collector.js';
import type { Progress } from '../output/progress-line.js';

/** Short enough to follow a log live, long enough that a script that prints a lot causes few statements. */
const FLUSH_AFTER_MS = 250;

/** Collects a run's lines and progress while it executes, and writes them several times a second. */
export class LiveLog {
  private readonly collector = new LogCollector((line) => this.store(line));
  private lines: string[] = [];
  private written = 0;
  private progress: Progress | null = null;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(private readonly write: (state: LiveState) => Promise<void>) {}

  get full(): boolean {
    return this.collector.full;
  }

  readonly add = (line: string): void => this.collector.add(line);

  readonly report = (progress: Progress): void => {
    this.progress = progress;
    this.schedule();
  };

  /** Returns what is not written yet, for the statement that ends the run. */
  async close(): Promise<LiveState> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.writing;
    return this.take();
  }

  private store(line: string): void {
    this.lines.push(line);
    this.schedule();
  }

  private schedule(): void {
    if (this.closed || this.timer) return;
    this.timer = setTimeout(() => {
      this.writing = this.flush();
    }, FLUSH_AFTER_MS);
  }

  private async flush(): Promise<void> {
    const state = this.take();
    try {
      await this.write(state);
    } catch {
      // The database is away: the lines go back in front of those that have come meanwhile, for the next attempt.
      this.lines.unshift(...state.lines);
      this.written -= state.lines.length;
    }
    this.timer = null;
    if (this.lines.length > 0) this.schedule();
  }

  private take(): LiveState {
    const lines = this.lines;
    const state = {
      firstLine: this.written,
      lines,
      progress: this.progress?.progress ?? null,
      progressMessage: this.progress?.message ?? null,
    };
    this.written += lines.length;
    this.lines = [];
    return state;
  }
}
