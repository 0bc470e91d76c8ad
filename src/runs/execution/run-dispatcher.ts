import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { Lifecycle } from '../../core/lifecycle/index.js';
import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Tracing } from '../../core/tracing/index.js';
import { RunMetrics } from '../run-metrics.js';
import { Drain, LeasedWork, Loop, type Pass, RENEW_EVERY_MS, Waker } from '../../core/work/index.js';
import { type ClaimedRun, logFieldsOf } from './claimed-run.js';
import { RunExecutionRepository } from './run-execution.repository.js';
import { RunExecutionsService } from './run-executions.service.js';
import { type ExecutingRuns, RunPlaces } from './run-places.js';
import { RunTrace } from './run-trace.js';

const LOOK_EVERY_MS = 1_000;

/** Takes runs from the database while there is room, and carries them out. Any number of workers may do so at once. */
@Injectable()
export class RunDispatcher implements OnApplicationBootstrap {
  private readonly logger = new Logger('Runs');
  private readonly executing: ExecutingRuns;

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly waker: Waker,
    private readonly lifecycle: Lifecycle,
    private readonly settings: Settings,
    private readonly places: RunPlaces,
    private readonly executions: RunExecutionsService,
    metrics: RunMetrics,
    tracing: Tracing,
  ) {
    this.executing = new LeasedWork({
      places: settings.runConcurrency,
      share: settings.workspaceShare,
      claim: (places) => runs.claim(places, executions.unpacked()),
      begin: (run: ClaimedRun) => {
        metrics.taken(run.waitedSeconds);
        return executions.of(run, new RunTrace(tracing, run));
      },
      onRoom: () => waker.look(RUNS_QUEUE),
      onError: (run, error) => this.logger.error(String(error), logFieldsOf(run)),
    });
    metrics.places(settings.runConcurrency, () => this.executing.size);
  }

  /** From now on, runs may also begin as they are written. */
  onApplicationBootstrap(): void {
    this.places.open(this.executing, this.executions);
  }

  @Loop({
    every: LOOK_EVERY_MS,
    wake: RUNS_QUEUE,
    hasRoom: (self: RunDispatcher) => self.executing.hasRoom,
    needsDisk: true,
    stage: 'taking',
    reachesOut: true,
  })
  async take({ woken }: Pass): Promise<boolean> {
    const { again, passedOver } = await this.executing.take();
    // A run is waiting whose workspace or owner has its share of this worker already: another worker may take it.
    if (passedOver && woken) this.waker.passOn(RUNS_QUEUE);
    return again;
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    await this.executing.renew((claims) => this.runs.renew(claims));
  }

  /** Waits for the scripts that are running, and ends those that take too long. */
  @Drain('taking')
  async finish(): Promise<void> {
    const { drainSeconds } = this.settings;
    const { size } = this.executing;
    if (size > 0) console.log(`Waiting up to ${drainSeconds} s for ${size} running script(s).`);
    await Promise.race([this.executing.close(), this.patienceEnds(drainSeconds * 1000)]);
    for (const execution of this.executing.all()) execution.stop();
    await this.executing.close();
  }

  private patienceEnds(afterMs: number): Promise<void> {
    const { hurried } = this.lifecycle;
    return new Promise((done) => {
      if (hurried.aborted) return done();
      // The scripts keep the process alive for as long as they are waited for, this patience does not.
      const timer = setTimeout(done, afterMs).unref();
      hurried.addEventListener('abort', () => {
        clearTimeout(timer);
        done();
      });
    });
  }
}
