import { Injectable } from '@nestjs/common';

import { LeaseClock, Loop } from '../core/work/index.js';
import { BuildsRepository } from './builds.repository.js';

const SWEEP_EVERY_MS = 5_000;

/** Sees to it that no build waits for ever for a worker that is no more. Every process does this. */
@Injectable()
export class BuildSweeper {
  constructor(
    private readonly builds: BuildsRepository,
    private readonly clock: LeaseClock,
  ) {}

  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    await this.clock.tick();
    await this.builds.sweepAbandoned();
  }
}
