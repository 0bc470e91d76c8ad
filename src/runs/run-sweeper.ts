import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { RunExecutionRepository } from './execution/run-execution.repository.js';
import { RunDispatch } from './run-dispatch.js';

const SWEEP_EVERY_MS = 5_000;
/** After coming up, workers get one lease's time to renew before anybody takes their runs away. */
const GRACE_SECONDS = 20;

/** Sees to it that no run stays `running` for ever because its worker is no more. Every process does this. */
@Injectable()
export class RunSweeper {
  private readonly logger = new Logger(RunSweeper.name);

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly dispatch: RunDispatch,
  ) {}

  @Interval(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    if (process.uptime() < GRACE_SECONDS) return;
    try {
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
