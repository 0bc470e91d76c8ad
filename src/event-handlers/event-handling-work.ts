import { TimeIsOver } from '../core/time-limit/index.js';
import type { Work } from '../core/work/index.js';

/** A handler that is called for an event. */
export class EventHandlingWork implements Work {
  private readonly over = new AbortController();

  /** @param handle calls it until the signal is aborted */
  constructor(private readonly handle: (stop: AbortSignal) => Promise<void>) {}

  carryOut(): Promise<void> {
    return this.handle(this.over.signal);
  }

  lost(): void {
    this.over.abort(new TimeIsOver('Another process has the event by now.'));
  }

  /** The process does not wait for it any longer. */
  stop(): void {
    this.over.abort(new TimeIsOver('The process stopped meanwhile.'));
  }
}
