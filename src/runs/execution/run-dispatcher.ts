import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { Lifecycle } from '../../core/lifecycle/index.js';
import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Drain, InstanceHeartbeat, Loop, type Pass, RENEW_EVERY_MS, Waker } from '../../core/work/index.js';
import { ExecutingRuns } from './executing-runs.js';
import { RunExecutionRepository } from './run-execution.repository.js';

const LOOK_EVERY_MS = 1_000;

/** Takes runs from the database while there is room, and carries them out. Any number of workers may do so at once. */
@Injectable()
export class RunDispatcher {
  private readonly leased: ExecutingRuns['leased'];

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly waker: Waker,
    private readonly lifecycle: Lifecycle,
    private readonly settings: Settings,
    private readonly instance: InstanceHeartbeat,
    executing: ExecutingRuns,
  ) {
    this.leased = executing.leased;
  }

  @Loop({
    every: LOOK_EVERY_MS,
    wake: RUNS_QUEUE,
    hasRoom: (self: RunDispatcher) => self.leased.hasRoom,
    needsDisk: true,
    stage: 'taking',
    reachesOut: true,
  })
  async take({ woken }: Pass): Promise<boolean> {
    const { again, passedOver } = await this.leased.take();
    // A run is waiting whose workspace or owner has its share of this worker already: another worker may take it.
    if (passedOver && woken) this.waker.passOn(RUNS_QUEUE);
    return again;
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    await this.leased.renew((claims) => this.runs.renew(claims));
  }

  /** Waits for the scripts that are running, and ends those that take too long. */
  @Drain('taking')
  async finish(): Promise<void> {
    const { drainSeconds, drainLongRuns } = this.settings;
    await this.instance.takesNoMore().catch(() => undefined);
    await this.leased.takeNoMore();
    if (drainLongRuns === 'retry')
      for (const execution of this.leased.all()) if (execution.mayMove) execution.stop();
    const { size } = this.leased;
    if (size > 0) console.log(`Waiting up to ${drainSeconds} s for ${size} running script(s).`);
    await Promise.race([this.leased.close(), this.patienceEnds(drainSeconds * 1000)]);
    for (const execution of this.leased.all()) execution.stop();
    await this.leased.close();
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
