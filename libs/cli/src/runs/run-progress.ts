import type { RunEvent } from '@gatehouse/client';

import { plainText } from '../terminal/plain-text.js';
import { StatusLine } from '../terminal/status-line.js';

const PHASES: Readonly<Record<string, string>> = {
  held: 'waits for a person',
  delayed: 'waits for its time to start',
  waiting: 'waits for its turn',
  queued: 'waits for a worker',
  starting: 'is being started',
  executing: 'runs',
  retrying: 'did not end well, and waits for its next attempt',
};

const KEPT_LINES = 2_000;

/** What happens in a run, on standard error: its log line by line, and how far it is in a line that is written over. */
export class RunProgress {
  private readonly status = new StatusLine();
  private lastLines: string[] = [];

  readonly show = (event: RunEvent): void => {
    if (event.type === 'log') this.line(event.line);
    if (event.type === 'phase') this.status.show(PHASES[event.phase] ?? event.phase);
    if (event.type === 'progress') this.status.show(this.progressText(event.progress, event.message));
    if (event.type === 'end') this.end();
  };

  /** Whether the log ended with this: what a script prints as text is in its log, too. */
  hasJustShown(text: string): boolean {
    return this.lastLines.slice(-text.split('\n').length).join('\n') === text;
  }

  end(): void {
    this.status.clear();
  }

  private line(line: string): void {
    if (this.lastLines.push(line) > KEPT_LINES) this.lastLines = this.lastLines.slice(-KEPT_LINES / 2);
    this.status.above(process.stderr.isTTY ? plainText(line) : line);
  }

  private progressText(progress: number, message: string | null): string {
    return `${String(Math.round(progress * 100)).padStart(3)} % ${message ?? ''}`;
  }
}
