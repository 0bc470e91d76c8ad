import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { LeaseClock } from '../core/claims/lease-clock.js';
import { BuildsRepository } from './builds.repository.js';

const SWEEP_EVERY_MS = 5_000;

/** Sees to it that no build waits for ever for a worker that is no more. Every process does this. */
@Injectable()
export class BuildSweeper implements OnApplicationBootstrap {
  private readonly logger = new Logger('Builds');

  constructor(
    private readonly builds: BuildsRepository,
    private readonly clock: LeaseClock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.sweep();
  }

  @Interval(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    try {
      await this.clock.tick();
      await this.builds.sweepAbandoned();
      await this.builds.forgetUnwanted();
    } catch (error) {
      this.logger.warn(`Sweep: ${String(error)}`);
    }
  }
}
