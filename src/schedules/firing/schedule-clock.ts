import { Injectable } from '@nestjs/common';

import { FiringLoops } from '../../automations/index.js';
import { Settings } from '../../core/config/index.js';
import { InstanceHeartbeat, LeaseClock, Loop, Waker } from '../../core/work/index.js';
import { ScheduleClaimsRepository } from './schedule-claims.repository.js';
import type { ClaimedSchedule } from './schedule-claims.sql.js';
import { ScheduleFiringService } from './schedule-firing.service.js';

/** Wakes whoever fires schedules. */
const SCHEDULES = 'schedules';

/** Schedules that other processes make or change are seen after this long. */
const LOOK_EVERY_MS = 1_000;
const LEAST_WAIT_MS = 50;
/** So many are fired at once, whose inputs may take 320 KiB each. */
const MOST_PLACES = 100;

/**
 * Fires schedules when they are due, in any number of processes. Those of one workspace or owner have no more than their
 * share of the places here, so one whose inputs take long to check delays nobody else's.
 */
@Injectable()
export class ScheduleClock extends FiringLoops<ClaimedSchedule> {
  /** When the next one is due, by the clock of this process. */
  private nextLook = 0;

  constructor(
    private readonly claims: ScheduleClaimsRepository,
    service: ScheduleFiringService,
    instance: InstanceHeartbeat,
    clock: LeaseClock,
    waker: Waker,
    settings: Settings,
  ) {
    const places = { places: MOST_PLACES, share: settings.workspaceShare };
    super({ queue: claims, service, instance, clock, waker, topic: SCHEDULES, noun: 'schedule', ...places });
  }

  /** Queues what is due, and takes as much of the queue as there is room for. Comes again when the next one is due. */
  @Loop({
    every: LOOK_EVERY_MS,
    wake: SCHEDULES,
    hasRoom: (self: ScheduleClock) => self.firing.hasRoom,
    settled: (self: ScheduleClock) => self.firing.settled(),
    needsDisk: true,
    reachesOut: true,
  })
  async fire(): Promise<boolean | number> {
    if (Date.now() >= this.nextLook) {
      const next = (await this.claims.queueDue()) ?? LOOK_EVERY_MS;
      this.nextLook = Date.now() + Math.min(Math.max(Math.ceil(next), LEAST_WAIT_MS), LOOK_EVERY_MS);
    }
    if ((await this.firing.take()).again) return true;
    return Math.max(this.nextLook - Date.now(), 1);
  }
}
