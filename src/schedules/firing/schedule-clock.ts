import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { isDatabaseAway } from '../../core/database/database-errors.js';
import { ScheduleFiringService } from './schedule-firing.service.js';
import { ScheduleFiringRepository } from './schedule-firing.repository.js';

const BATCH = 500;
/** Schedules that other processes make or change are seen after this long. */
const LOOK_EVERY_MS = 1_000;
/** What is due already but locked by somebody else is looked for again after this long. */
const LEAST_WAIT_MS = 50;
const PUT_ASIDE_MS = 60_000;

/**
 * Fires schedules when they are due: it sleeps until the next one is, and looks once a second at least. Any number of
 * processes may do this; whoever comes first takes a batch.
 */
@Injectable()
export class ScheduleClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Schedules');
  private readonly aside = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private working: Promise<void> | null = null;
  private open = false;

  constructor(
    private readonly firing: ScheduleFiringService,
    private readonly repository: ScheduleFiringRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.open = true;
    this.sleep(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.open = false;
    if (this.timer) clearTimeout(this.timer);
    await this.working;
  }

  private sleep(ms: number): void {
    if (!this.open) return;
    this.timer = setTimeout(() => {
      this.working = this.wake();
    }, ms);
  }

  private async wake(): Promise<void> {
    let wait = LOOK_EVERY_MS;
    try {
      await this.fireAll();
      const next = (await this.repository.nextIn(this.putAside())) ?? LOOK_EVERY_MS;
      wait = Math.min(Math.max(Math.ceil(next), LEAST_WAIT_MS), LOOK_EVERY_MS);
    } catch (error) {
      this.logger.warn(`Schedules could not be fired; they are looked at again: ${String(error)}`);
    }
    this.sleep(wait);
  }

  private async fireAll(): Promise<void> {
    try {
      while (this.open && (await this.firing.fire({ count: BATCH, except: this.putAside() })) === BATCH);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(`A batch of schedules could not be fired: ${describe(error)}`);
      await this.fireSingly();
    }
  }

  /** One that cannot be fired must not be in the way of the others. */
  private async fireSingly(): Promise<void> {
    for (const id of await this.repository.due(BATCH, this.putAside())) {
      if (!this.open) return;
      try {
        await this.firing.fire({ count: 1, only: id });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        this.logger.error(`The schedule ${id} could not be fired: ${describe(error)}`);
        this.aside.set(id, Date.now() + PUT_ASIDE_MS);
      }
    }
  }

  private putAside(): string[] {
    const now = Date.now();
    for (const [id, until] of this.aside) if (until <= now) this.aside.delete(id);
    return [...this.aside.keys()];
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
