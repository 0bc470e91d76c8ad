import { Injectable, Logger } from '@nestjs/common';

import { Database, isDatabaseAway } from '../database/index.js';
import { errorText } from '../errors/index.js';
import { Drain, Loop, type Pass } from '../work/index.js';
import { EventConsumers } from './event-consumers.js';
import { EventsRepository } from './events.repository.js';
import { EVENTS } from './outbox.js';

const BATCH = 500;
const LOOK_EVERY_MS = 1_000;
/** With hundreds of events a second, a batch for every two of them would cost more than what made them. */
const APART_MS = 10;
const POSTPONE_SECONDS = 10;

/**
 * Carries events out of the outbox, in every process. Whoever commits one here wakes it, and it looks once a second for
 * what a dead process left behind. A batch is marked as dispatched in the transaction in which its consumers insert
 * their rows: a kill at any instruction leaves both or neither.
 */
@Injectable()
export class EventDispatcher {
  private readonly logger = new Logger('Events');

  constructor(
    private readonly events: EventsRepository,
    private readonly consumers: EventConsumers,
    private readonly database: Database,
  ) {}

  /** One batch. */
  @Loop({ every: LOOK_EVERY_MS, wake: EVENTS, apart: APART_MS })
  async dispatch({ stopping }: Pass): Promise<boolean> {
    try {
      return await this.database.transaction(async () => {
        const { events, more } = await this.events.claim(BATCH);
        if (events.length > 0) await this.consumers.giveAll(events);
        return more;
      });
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(`A batch of events could not be dispatched: ${errorText(error)}`);
      return this.dispatchSingly(stopping);
    }
  }

  /** What this process wrote last, such as the ends of its runs: its loop may have ended before it came to them. */
  @Drain()
  async finish(): Promise<void> {
    await this.dispatch({ woken: false, stopping: AbortSignal.abort() });
  }

  private async dispatchSingly(stopping: AbortSignal): Promise<boolean> {
    let count = 0;
    while (count < BATCH && !stopping.aborted && (await this.dispatchOne())) count += 1;
    return count === BATCH;
  }

  /** An event that one consumer fails at is in the way neither of other events nor of other consumers, and comes again. */
  private dispatchOne(): Promise<boolean> {
    return this.database.transaction(async () => {
      const { events } = await this.events.claim(1);
      let failed = false;
      for (const consume of events.length > 0 ? this.consumers.all() : []) {
        try {
          await this.database.savepoint(() => consume(events));
        } catch (error) {
          if (isDatabaseAway(error)) throw error;
          failed = true;
          this.logger.error(`The event ${events[0]!.id} could not be dispatched: ${errorText(error)}`);
        }
      }
      if (failed) await this.events.postpone(events[0]!.id, POSTPONE_SECONDS);
      return events.length > 0;
    });
  }
}
