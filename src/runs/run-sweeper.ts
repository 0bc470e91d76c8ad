import { Injectable } from '@nestjs/common';

import { Bulkhead, LeaseClock, Loop, Waker } from '../core/work/index.js';
import { delayAfter, isTriedAgain } from '../scripts/index.js';
import type { RunEnd } from './execution/run-end.js';
import { type LostRun, RunExecutionRepository } from './execution/run-execution.repository.js';
import { RUNS_QUEUE } from '../core/queue/index.js';

const SWEEP_EVERY_MS = 5_000;

/** Sees to it that no run stays `running` for ever because its worker is no more. Every process does this. */
@Injectable()
export class RunSweeper {
  private readonly bulkhead = new Bulkhead('lost run');

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly waker: Waker,
    private readonly clock: LeaseClock,
  ) {}

  /** At the start as well: where processes are killed again and again, none may live until the first interval. */
  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    await this.clock.tick();
    if ((await this.runs.requeueAbandoned()) > 0) this.waker.wake(RUNS_QUEUE);
    const lost = new Map((await this.runs.lostRuns(this.bulkhead.waiting)).map((run) => [run.id, run]));
    await this.bulkhead.each([...lost.keys()], (id) => this.end(lost.get(id)!));
  }

  private async end(lost: LostRun): Promise<void> {
    const { id, claim, attempt, retry, durationMs, logLines, progress, progressMessage } = lost;
    const end: RunEnd = {
      outcome: 'failed',
      output: null,
      error: 'the worker running this was lost',
      durationMs,
      cpuMs: null,
      peakMemoryBytes: null,
      network: [],
      log: { count: logLines, chunks: [], dropped: null },
      progress,
      progressMessage,
      labels: null,
      outputView: null,
      traceparent: null,
    };
    const again = isTriedAgain(retry, attempt, 'lost');
    if (again && (await this.runs.retry(lost, end, delayAfter(attempt, retry!)))) return;
    await this.runs.finish({ id, claim }, end);
  }
}
