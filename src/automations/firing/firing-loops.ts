import { Logger } from '@nestjs/common';

import { errorText } from '../../core/errors/index.js';
import {
  type Claim,
  Drain,
  type InstanceHeartbeat,
  type LeaseClock,
  LeasedWork,
  Loop,
  RENEW_EVERY_MS,
  type Waker,
} from '../../core/work/index.js';
import type { FiringQueueRepository } from './firing-queue.repository.js';
import { type Firing, FiringWork } from './firing-work.js';

const SWEEP_EVERY_MS = 5_000;

interface FiringOptions<C extends Claim> {
  queue: FiringQueueRepository<C>;
  service: Firing<C>;
  instance: InstanceHeartbeat;
  clock: LeaseClock;
  waker: Waker;
  /** Wakes whoever fires. */
  topic: string;
  /** What is claimed, for the log. */
  noun: string;
  /** As in `LeasedWorkOptions`. */
  places: number;
  share: number;
}

/** Fires what waits, in any number of processes. Subclasses say when to take; what is taken is held until it has fired. */
export abstract class FiringLoops<C extends Claim> {
  protected readonly firing: LeasedWork<C, FiringWork<C>, { id: string }>;

  constructor(private readonly options: FiringOptions<C>) {
    const { queue, service, instance, waker, topic, noun, places, share } = options;
    const logger = new Logger(this.constructor.name);
    this.firing = new LeasedWork({
      places,
      share,
      claim: (free) => queue.claim(instance.id, free),
      begin: (claim) => new FiringWork<C>(claim, queue, service),
      onRoom: () => waker.look(topic),
      onError: ({ id }, error) => logger.error(`The ${noun} ${id} could not be fired: ${errorText(error)}`),
    });
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    await this.firing.renew((claims) => this.options.queue.renew(claims));
  }

  /** Sees to it that none waits for ever for a process that is no more. */
  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    const { clock, queue, waker, topic } = this.options;
    await clock.tick();
    if ((await queue.release()) > 0) waker.wake(topic);
  }

  @Drain()
  async finish(): Promise<void> {
    await this.firing.close();
  }
}
