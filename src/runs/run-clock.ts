import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../approvals/index.js';
import { Database } from '../core/database/index.js';
import { RUNS_QUEUE } from '../core/queue/index.js';
import { Loop, Waker } from '../core/work/index.js';
import { RunPlacingService } from './placing/run-placing.service.js';
import { RunExecutionRepository } from './execution/run-execution.repository.js';
import { accessProblem } from './held-run.rules.js';
import { END_WORDS } from './turns/run-turn.rules.js';
import { RunTurnsRepository } from './turns/run-turns.repository.js';
import { RunTurnsService } from './turns/run-turns.service.js';

const LOOK_EVERY_MS = 1_000;
const BATCH = 500;
/** Delayed runs are many alike, and each costs little. */
const STARTS = 5_000;

/** Lets runs go on whose time has come, and ends those that have expired. Every process does this. */
@Injectable()
export class RunClock {
  constructor(
    private readonly repository: RunTurnsRepository,
    private readonly turns: RunTurnsService,
    private readonly runs: RunExecutionRepository,
    private readonly placing: RunPlacingService,
    private readonly approvals: ApprovalsService,
    private readonly waker: Waker,
    private readonly database: Database,
  ) {}

  /** Until their time, runs hold no place. What has expired is ended first, so that it does not start. */
  @Loop({ every: LOOK_EVERY_MS, reachesOut: true })
  async look(): Promise<boolean> {
    const due = await this.repository.whatIsDue();
    const expired = due.expiries ? await this.expire() : 0;
    const queued = due.retries ? await this.runs.queueDue(BATCH) : 0;
    const started = due.starts ? await this.start() : 0;
    if (queued + started > 0) this.waker.wake(RUNS_QUEUE);
    const more = due.turns || queued + started > 0 ? await this.turns.look() : false;
    const unplaced = due.tagged ? await this.placing.look() : false;
    return more || unplaced || expired === BATCH || queued === BATCH || started === STARTS;
  }

  private async expire(): Promise<number> {
    const runs = await this.repository.expired(BATCH);
    await this.database.transaction(async () => {
      await this.approvals.expire(runs.flatMap(({ approvalRequestId }) => approvalRequestId ?? []));
      const ids = runs.map(({ id }) => id);
      await this.repository.end(ids, 'expired', END_WORDS.expired);
    });
    return runs.length;
  }

  /** Much may have changed since they were asked for: who may not start them any more gets no run. */
  private start(): Promise<number> {
    return this.database.transaction(async () => {
      const due = await this.repository.lockDue(STARTS);
      const startable: string[] = [];
      for (const { ids, ...facts } of due) {
        const problem = accessProblem(facts);
        if (problem === null) startable.push(...ids);
        else await this.repository.end(ids, null, `it could not start: ${problem}`);
      }
      if (startable.length > 0) await this.repository.begin(startable);
      return due.reduce((sum, { ids }) => sum + ids.length, 0);
    });
  }
}
