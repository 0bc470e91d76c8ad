import { Injectable } from '@nestjs/common';

/** An event as consumers get it. */
export interface DispatchedEvent {
  id: string;
  workspaceId: string;
  /** null: an event of the whole workspace. */
  environmentId: string | null;
  type: string;
  data: Record<string, unknown>;
  causedByRunId: string | null;
  createdAt: Date;
}

/**
 * Turns events into rows of its own, such as deliveries or runs. Called in the transaction that marks the events as
 * dispatched, with up to a few hundred at once: use set-based statements, and do no I/O outside of the database; what has to
 * follow the commit goes to `Database.afterCommit`. An error makes the whole batch be tried again, so a problem with a
 * single event or receiver must be recorded instead of thrown.
 */
export type EventConsumer = (events: readonly DispatchedEvent[]) => Promise<void>;

/**
 * An extension point: a module that wants every event registers a consumer when the application starts.
 *
 * @example
 * onModuleInit(): void {
 *   this.consumers.register('deliveries', (events) => this.fanOut(events));
 * }
 */
@Injectable()
export class EventConsumers {
  private readonly consumers = new Map<string, EventConsumer>();

  register(name: string, consumer: EventConsumer): void {
    this.consumers.set(name, consumer);
  }

  all(): readonly EventConsumer[] {
    return [...this.consumers.values()];
  }
}
