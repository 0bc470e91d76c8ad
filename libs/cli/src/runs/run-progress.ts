import type { RunEvent } from '@gatehouse/client';

import { plainText } from '../terminal/plain-text.js';
import { StatusLine } from '../terminal/status-line.js';

const PHASES: Readonly<Record<string, string>> = {
  held: 'waits for a person',
  queued: 'waits for its turn',
  starting: 'is being started',
  executing: 'runs',
};

/** What happens in a run, on standard error: its log line by line, and how far it is in a line that is written over. */
export class RunProgress {
  private readonly status = new StatusLine();

  readonly show = (event: RunEvent): void => {
    if (event.type === 'log') this.status.above(plainText(event.line));
    if (event.type === 'phase') this.status.show(PHASES[event.phase] ?? event.phase);
    if (event.type === 'progress') this.status.show(this.progressText(event.progress, event.message));
    if (event.type === 'end') this.end();
  };

  end(): void {
    this.status.clear();
  }

  private progressText(progress: number, message: string | null): string {
    return `${String(Math.round(progress * 100)).padStart(3)} % ${plainText(message ?? '')}`;
  }
}
