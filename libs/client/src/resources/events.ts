import type { EventsReset, WorkspaceEvent } from '../events/workspace-event.js';
import { resumedEvents } from '../events/resumed-events.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

export interface EventsOptions extends CallOptions {
  /** The id of the event after which to begin. Without it: with what happens from now on. */
  after?: string;
  /** Called once it has begun: what happens from then on comes. */
  onBegin?: () => void;
  /** Called when the connection is lost, before it is made again: with what came after the last event. */
  onLost?: () => void;
}

/** What happens in the workspace, as it happens. */
export class Events {
  constructor(private readonly calls: Calls) {}

  /**
   * The events that this credential may see, until the signal is aborted. An event can come twice, with the same id. After
   * a `reset`, events may have been missed.
   */
  async *follow(options: EventsOptions = {}): AsyncGenerator<WorkspaceEvent | EventsReset, void, void> {
    const open = (headers: Record<string, string>) =>
      this.calls.request({ method: 'GET', url: '/v1/workspace/events/stream', headers }, options);
    for await (const { event, data } of resumedEvents(open, {
      lastEventId: options.after,
      signal: options.signal,
      onBegin: options.onBegin,
      onLost: options.onLost,
    })) {
      if (event === 'reset') yield { type: 'reset' };
      else yield this.calls.parse(data) as WorkspaceEvent;
    }
  }
}
