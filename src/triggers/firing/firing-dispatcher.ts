import { Injectable, type OnModuleInit } from '@nestjs/common';

import { FiringLoops } from '../../automations/index.js';
import { Settings } from '../../core/config/index.js';
import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { InstanceHeartbeat, LeaseClock, Loop, Waker } from '../../core/work/index.js';
import { FiringClaimsRepository } from './firing-claims.repository.js';
import type { ClaimedFiring } from './firing-claims.sql.js';
import { FIRINGS } from './firing.topic.js';
import { isOfTestRun } from './matches.js';
import { TriggerFiringService } from './trigger-firing.service.js';

const LOOK_EVERY_MS = 1_000;
/** So many events are fired at once, each with a connection of the pool: no more than a quarter of it. */
const MOST_PLACES = 4;

/**
 * Has the triggers of events fired, in every process. It works beside the dispatching of events: what one workspace's
 * triggers make of them delays nobody else's deliveries and triggers.
 */
@Injectable()
export class FiringDispatcher extends FiringLoops<ClaimedFiring> implements OnModuleInit {
  constructor(
    private readonly claims: FiringClaimsRepository,
    private readonly consumers: EventConsumers,
    private readonly waker: Waker,
    service: TriggerFiringService,
    instance: InstanceHeartbeat,
    clock: LeaseClock,
    { databasePool, workspaceShare: share }: Settings,
  ) {
    const places = Math.max(1, Math.min(MOST_PLACES, Math.floor(databasePool / 4)));
    const place = { places, share, topic: FIRINGS, noun: 'event' };
    super({ queue: claims, service, instance, clock, waker, ...place });
  }

  onModuleInit(): void {
    this.consumers.register('triggers', (events) => this.queue(events));
  }

  @Loop({
    every: LOOK_EVERY_MS,
    wake: FIRINGS,
    hasRoom: (self: FiringDispatcher) => self.firing.hasRoom,
    settled: (self: FiringDispatcher) => self.firing.settled(),
    needsDisk: true,
    reachesOut: true,
  })
  async take(): Promise<boolean> {
    return (await this.firing.take()).again;
  }

  private async queue(events: readonly DispatchedEvent[]): Promise<void> {
    const real = events.filter((event) => !isOfTestRun(event));
    if (real.length > 0 && (await this.claims.add(real)) > 0) this.waker.wake(FIRINGS);
  }
}
