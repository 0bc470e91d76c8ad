import { Injectable } from '@nestjs/common';

/** An event as it is carried out of the outbox. */
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
 * Turns events into something of its own, such as deliveries or runs. Called in the transaction that marks the events as
 * dispatched, with up to a few hundred at once: set-based statements only, and nothing of the outside world. What has to
 * follow the commit goes to `Database.afterCommit`. An error keeps the whole batch for another try, so what is wrong with a
 * single event or receiver must be recorded instead of thrown.
 */
export type EventConsumer = (events: readonly DispatchedEvent[]) => Promise<void>;

/**
 * An extension point: who wants to hear of every event says so when the application starts.
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
