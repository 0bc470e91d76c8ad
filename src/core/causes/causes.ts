import { AsyncLocalStorage } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';

import type { CausingRun } from '../http/index.js';

/** An event that a handler is called for: what the handler tells of goes on with the event's chain. */
interface CausingEvent {
  workspaceId: string;
  /** The run behind it; null: there is none. */
  runId: string | null;
  /** How many triggers and handlers are between what the handler tells and what somebody did. */
  hops: number;
  /** The event that began the chain. */
  chainEventId: string;
  /** How many events the handler has told since it was called. */
  told: number;
}

/** Knows which run, or event, is behind what this process does. */
@Injectable()
export class Causes {
  private readonly scope = new AsyncLocalStorage<CausingRun>();
  private readonly events = new AsyncLocalStorage<CausingEvent>();

  /** All that `work` does and begins is caused by the run. */
  within<T>(run: CausingRun, work: () => T): T {
    return this.scope.run(run, work);
  }

  /** All that `work` does and begins is caused by the event. */
  withinEvent<T>(event: CausingEvent, work: () => T): T {
    return this.events.run(event, work);
  }

  /** The event whose handler does this, in whichever workspace; null: no handler does. */
  get event(): CausingEvent | null {
    return this.events.getStore() ?? null;
  }

  /** The id of the run behind a change in this workspace; null: there is none, or it belongs to another workspace. */
  runIn(workspaceId: string): string | null {
    const run = this.scope.getStore();
    if (run) return run.workspaceId === workspaceId ? run.id : null;
    return this.event?.workspaceId === workspaceId ? this.event.runId : null;
  }
}
