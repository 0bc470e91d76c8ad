import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { LeaseClock } from '../core/claims/lease-clock.js';
import { RunExecutionRepository } from './execution/run-execution.repository.js';
import { RunDispatch } from './run-dispatch.js';

const SWEEP_EVERY_MS = 5_000;

/** Sees to it that no run stays `running` for ever because its worker is no more. Every process does this. */
@Injectable()
export class RunSweeper implements OnApplicationBootstrap {
  private readonly logger = new Logger(RunSweeper.name);

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly dispatch: RunDispatch,
    private readonly clock: LeaseClock,
  ) {}

  /** Where processes are killed again and again, none may live until the first interval. */
  async onApplicationBootstrap(): Promise<void> {
    await this.sweep();
  }

  @Interval(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    try {
      await this.clock.tick();
      if ((await this.runs.requeueAbandoned()) > 0) this.dispatch.wake();
      for (const {
        durationMs,
        firstLine,
        progress,
        progressMessage,
        ...claim
      } of await this.runs.lostRuns()) {
        await this.runs.finish(claim, {
          outcome: 'failed',
          output: null,
          error: 'the worker running this was lost',
          durationMs,
          network: [],
          firstLine,
          lines: [],
          progress,
          progressMessage,
        });
      }
    } catch (error) {
      this.logger.warn(`Sweep: ${String(error)}`);
    }
  }
}
