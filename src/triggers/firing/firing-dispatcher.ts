import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import {
  Drain,
  InstanceHeartbeat,
  LeaseClock,
  LeasedWork,
  Loop,
  RENEW_EVERY_MS,
  Waker,
} from '../../core/work/index.js';
import { FiringClaimsRepository } from './firing-claims.repository.js';
import type { ClaimedFiring } from './firing-claims.sql.js';
import { FiringWork } from './firing-work.js';
import { FIRINGS } from './firing.topic.js';
import { isOfTestRun } from './matches.js';
import { TriggerFiringService } from './trigger-firing.service.js';

const LOOK_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 5_000;
/** So many events are fired at once, each with a connection of the pool: no more than a quarter of it. */
const MOST_PLACES = 4;

/**
 * Has the triggers of events fired, in every process. It works beside the dispatching of events: what one workspace's
 * triggers make of them delays nobody else's deliveries and triggers.
 */
@Injectable()
export class FiringDispatcher implements OnModuleInit {
  private readonly logger = new Logger('Triggers');
  private readonly firing: LeasedWork<ClaimedFiring, FiringWork, { id: string }>;

  constructor(
    private readonly claims: FiringClaimsRepository,
    private readonly consumers: EventConsumers,
    private readonly waker: Waker,
    private readonly clock: LeaseClock,
    service: TriggerFiringService,
    instance: InstanceHeartbeat,
    settings: Settings,
  ) {
    this.firing = new LeasedWork({
      places: Math.max(1, Math.min(MOST_PLACES, Math.floor(settings.databasePool / 4))),
      share: settings.workspaceShare,
      claim: (places) => claims.claim(instance.id, places),
      begin: (claim) => new FiringWork(claim, claims, service),
      onRoom: () => waker.look(FIRINGS),
      onError: ({ id }, error) => this.logger.error(`The event ${id} could not be fired: ${describe(error)}`),
    });
  }

  onModuleInit(): void {
    this.consumers.register('triggers', (events) => this.queue(events));
  }

  @Loop({
    every: LOOK_EVERY_MS,
    wake: FIRINGS,
    hasRoom: (self: FiringDispatcher) => self.firing.hasRoom,
    needsDisk: true,
    reachesOut: true,
  })
  async take(): Promise<boolean> {
    return (await this.firing.take()).again;
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    await this.firing.renew((claims) => this.claims.renew(claims));
  }

  /** Sees to it that no event waits for ever for a process that is no more. */
  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    await this.clock.tick();
    if ((await this.claims.release()) > 0) this.waker.wake(FIRINGS);
  }

  @Drain()
  async finish(): Promise<void> {
    await this.firing.close();
  }

  private async queue(events: readonly DispatchedEvent[]): Promise<void> {
    const real = events.filter((event) => !isOfTestRun(event));
    if (real.length > 0 && (await this.claims.add(real)) > 0) this.waker.wake(FIRINGS);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
