import { Injectable, Logger } from '@nestjs/common';

import { isDatabaseAway } from '../../core/database/index.js';
import { Loop, type Pass } from '../../core/work/index.js';
import { ScheduleFiringService } from './schedule-firing.service.js';
import { ScheduleFiringRepository } from './schedule-firing.repository.js';

const BATCH = 500;
/** Schedules that other processes make or change are seen after this long. */
const LOOK_EVERY_MS = 1_000;
/** What is due already but locked by somebody else is looked for again after this long. */
const LEAST_WAIT_MS = 50;
const PUT_ASIDE_MS = 60_000;

/** Fires schedules when they are due. Any number of processes may do this; whoever comes first takes a batch. */
@Injectable()
export class ScheduleClock {
  private readonly logger = new Logger('Schedules');
  /** Schedules that could not be fired, and until when they are left alone. */
  private readonly aside = new Map<string, number>();

  constructor(
    private readonly firing: ScheduleFiringService,
    private readonly repository: ScheduleFiringRepository,
  ) {}

  /** One batch. Comes again at once where there may be more, otherwise when the next schedule is due. */
  @Loop({ every: LOOK_EVERY_MS, needsDisk: true, reachesOut: true })
  async fire({ stopping }: Pass): Promise<boolean | number> {
    try {
      if (await this.firing.fire({ count: BATCH, except: this.putAside() })) return true;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(`A batch of schedules could not be fired: ${describe(error)}`);
      await this.fireSingly(stopping);
    }
    const next = await this.repository.nextIn(this.putAside());
    return Math.max(Math.ceil(next ?? LOOK_EVERY_MS), LEAST_WAIT_MS);
  }

  /** One that cannot be fired must not be in the way of the others. */
  private async fireSingly(stopping: AbortSignal): Promise<void> {
    for (const id of await this.repository.due(BATCH, this.putAside())) {
      if (stopping.aborted) return;
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
