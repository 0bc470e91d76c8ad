import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../approvals/index.js';
import { Database } from '../core/database/index.js';
import { RUNS_QUEUE } from '../core/queue/index.js';
import { Loop, Waker } from '../core/work/index.js';
import { RunPlacingService } from './placing/run-placing.service.js';
import { DueRunsService } from './due/due-runs.service.js';
import { END_WORDS } from './turns/run-turn.rules.js';
import { RunTurnsRepository } from './turns/run-turns.repository.js';
import { RunTurnsService } from './turns/run-turns.service.js';

const LOOK_EVERY_MS = 1_000;
const BATCH = 500;

/** Lets runs go on whose time has come, and ends those that have expired. Every process does this. */
@Injectable()
export class RunClock {
  constructor(
    private readonly repository: RunTurnsRepository,
    private readonly turns: RunTurnsService,
    private readonly due: DueRunsService,
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
    const isDue = due.starts || due.retries;
    const { begun, more: moreDue } = isDue ? await this.due.look() : { begun: 0, more: false };
    if (begun > 0) this.waker.wake(RUNS_QUEUE);
    const moreTurns = due.turns || begun > 0 ? await this.turns.look() : false;
    const unplaced = due.tagged ? await this.placing.look() : false;
    return moreDue || moreTurns || unplaced || expired === BATCH;
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
}
