import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { BuildsRepository } from './builds.repository.js';

const SWEEP_EVERY_MS = 5_000;
/** After coming up, workers get one lease's time to renew before anybody takes their builds away. */
const GRACE_SECONDS = 20;

/** Sees to it that no build waits for ever for a worker that is no more. Every process does this. */
@Injectable()
export class BuildSweeper {
  private readonly logger = new Logger('Builds');

  constructor(private readonly builds: BuildsRepository) {}

  @Interval(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    if (process.uptime() < GRACE_SECONDS) return;
    try {
      await this.builds.sweepAbandoned();
      await this.builds.forgetUnwanted();
    } catch (error) {
      this.logger.warn(`Sweep: ${String(error)}`);
    }
  }
}
