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
  /** The trace in which it happened; null: none. */
  traceparent: string | null;
}

/**
 * Turns events into rows of its own, such as deliveries or runs. It is called with up to a few hundred events, in the
 * transaction that marks them as dispatched: so it uses set-based statements only, calls nothing outside of the database,
 * and leaves what follows the commit to `Database.afterCommit`. If it throws, the whole batch is dispatched again, so what
 * is wrong with a single event is recorded, not thrown.
 */
type EventConsumer = (events: readonly DispatchedEvent[]) => Promise<void>;

/**
 * An extension point: gives every event to the consumers that are registered when the application starts.
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

  /**
   * To all at once, so that their statements share a round trip. Waits for each also where another fails: none may go on
   * after the transaction has ended.
   */
  async giveAll(events: readonly DispatchedEvent[]): Promise<void> {
    const results = await Promise.allSettled(this.all().map((consume) => consume(events)));
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failure) throw failure.reason;
  }

  all(): readonly EventConsumer[] {
    return [...this.consumers.values()];
  }
}
