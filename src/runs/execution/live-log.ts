import type { Labels } from '../../scripts/index.js';
import type { LiveState } from './run-end.js';
import { type PrintedLabel, PrintedLabels } from '../labels/printed-labels.js';
import { type LogChange, LogCollector } from '../output/log-collector.js';
import type { OutputView } from '../output/output-view.js';
import type { Progress } from '../output/progress-line.js';
import type { WholeLog } from '../output/whole-log.js';

/** Short enough to follow a log live, long enough that a script that prints a lot causes few statements. */
const FLUSH_AFTER_MS = 250;
/** For one that prints more than is kept, so that what is written to be dropped stays bounded. Still live within a second. */
const FLOODED_FLUSH_AFTER_MS = 750;

/** Collects a run's lines and progress while it executes, and writes them several times a second. */
export class LiveLog {
  private readonly collector: LogCollector;
  private readonly labels: PrintedLabels;
  private progress: Progress | null = null;
  private outputView: OutputView | null = null;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private closed = false;

  /**
   * @param onRoom called after lines were written, when there is room for those that have waited
   * @param firstLine the number of the first line: an earlier attempt's are before it
   * @param labels that the run has already
   * @param whole takes the lines that the database does not keep
   */
  constructor(
    private readonly write: (state: LiveState) => Promise<void>,
    private readonly onRoom: () => void,
    private readonly firstLine = 0,
    labels: Labels = {},
    private readonly whole: WholeLog | null = null,
  ) {
    this.collector = new LogCollector({}, whole);
    this.labels = new PrintedLabels(labels);
  }

  /** Lines come faster than they are written. */
  get isBehind(): boolean {
    return this.collector.isBehind;
  }

  readonly add = (line: string): void => {
    this.collector.add(line);
    this.schedule();
  };

  readonly skip = (lines: number, text: () => Buffer): void => this.collector.skip(lines, text);

  /** For what the script has to wait before more of its lines are read; null: for nothing. */
  get room(): Promise<void> | null {
    return this.whole?.room ?? null;
  }

  readonly report = (progress: Progress): void => {
    this.progress = progress;
    this.schedule();
  };

  readonly label = (label: PrintedLabel): void => {
    const notice = this.labels.add(label);
    if (notice === null) this.schedule();
    else this.add(notice);
  };

  /** Nobody asks before there is an output. */
  readonly view = (view: OutputView): void => {
    this.outputView = view;
  };

  /** Returns what is not written yet, for the statement that ends the run. */
  async close(): Promise<LiveState> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await Promise.all([this.writing, this.whole?.close()]);
    return this.stateWith(this.collector.change);
  }

  private schedule(): void {
    if (this.closed || this.timer) return;
    const { isBehind, isDropping } = this.collector;
    this.timer = setTimeout(
      () => {
        this.writing = this.flush();
      },
      isBehind || isDropping ? FLOODED_FLUSH_AFTER_MS : FLUSH_AFTER_MS,
    );
  }

  private async flush(): Promise<void> {
    const { change } = this.collector;
    const state = this.stateWith(change);
    const written = await this.write(state).then(
      () => true,
      // The database is away: the lines are there for the next attempt.
      () => false,
    );
    this.timer = null;
    if (written) {
      this.collector.stored(change);
      this.labels.stored(state.labels);
      this.onRoom();
    }
    const isMore = this.collector.change.chunks.length > 0 || this.labels.changed !== null;
    if (!written || isMore) this.schedule();
  }

  private stateWith(change: LogChange): LiveState {
    const { progress = null, message = null } = this.progress ?? {};
    return {
      log: shifted(change, this.firstLine),
      progress,
      progressMessage: message,
      labels: this.labels.changed,
      outputView: this.outputView,
    };
  }
}

/** A collector counts from 0. */
function shifted(change: LogChange, by: number): LogChange {
  if (by === 0) return change;
  const { count, chunks, dropped } = change;
  return {
    count: count + by,
    chunks: chunks.map(({ firstLine, lines }) => ({ firstLine: firstLine + by, lines })),
    dropped: dropped && { from: dropped.from + by, to: dropped.to + by },
  };
}
