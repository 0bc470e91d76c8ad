import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { isDatabaseAway } from '../database/database-errors.js';
import { Database } from '../database/database.js';
import { EventConsumers } from './event-consumers.js';
import { EventDispatchRepository } from './event-dispatch.repository.js';
import { Outbox } from './outbox.js';

const BATCH = 500;
const LOOK_EVERY_MS = 1_000;
const POSTPONE_SECONDS = 10;

/**
 * Carries events out of the outbox, in every process: told by whoever commits one here, and by looking once a second for
 * what a process that died left behind. A batch is marked as dispatched in the transaction in which its consumers make
 * rows of it, so that a kill at any instruction leaves both or neither.
 */
@Injectable()
export class EventDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Events');
  private open = false;
  private dispatching: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly events: EventDispatchRepository,
    private readonly consumers: EventConsumers,
    private readonly outbox: Outbox,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    this.open = true;
    this.outbox.onWritten(() => this.kick());
    this.kick();
  }

  @Interval(LOOK_EVERY_MS)
  lookByTheClock(): void {
    this.kick();
  }

  /** After running scripts are done with: their ends are events as well. */
  async beforeApplicationShutdown(): Promise<void> {
    this.open = false;
    await this.dispatching;
  }

  /** One dispatch at a time; whoever asks meanwhile has another one follow. */
  private kick(): void {
    this.again = true;
    if (!this.open) return;
    this.dispatching ??= this.dispatchAll().finally(() => {
      this.dispatching = null;
      if (this.again) this.kick();
    });
  }

  private async dispatchAll(): Promise<void> {
    try {
      do {
        this.again = false;
        while (this.open && (await this.dispatchBatch()) === BATCH);
      } while (this.open && this.again);
    } catch (error) {
      // It is looked for again by the clock; at once, it would only fail again.
      this.again = false;
      this.logger.warn(`Events could not be dispatched: ${String(error)}`);
    }
  }

  private async dispatchBatch(): Promise<number> {
    try {
      return await this.database.transaction(async () => {
        const events = await this.events.claim(BATCH);
        if (events.length > 0) for (const consume of this.consumers.all()) await consume(events);
        return events.length;
      });
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(`A batch of events could not be dispatched: ${describe(error)}`);
      return this.dispatchSingly();
    }
  }

  private async dispatchSingly(): Promise<number> {
    let count = 0;
    while (count < BATCH && this.open && (await this.dispatchOne())) count += 1;
    return count;
  }

  /** An event that one consumer fails at is in the way neither of other events nor of other consumers, and comes again. */
  private dispatchOne(): Promise<boolean> {
    return this.database.transaction(async () => {
      const events = await this.events.claim(1);
      let failed = false;
      for (const consume of events.length > 0 ? this.consumers.all() : []) {
        try {
          await this.database.savepoint(() => consume(events));
        } catch (error) {
          if (isDatabaseAway(error)) throw error;
          failed = true;
          this.logger.error(`The event ${events[0]!.id} could not be dispatched: ${describe(error)}`);
        }
      }
      if (failed) await this.events.postpone(events[0]!.id, POSTPONE_SECONDS);
      return events.length > 0;
    });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
