import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../approvals/index.js';
import { Database } from '../core/database/index.js';
import { RUNS_QUEUE } from '../core/queue/index.js';
import { Loop, Waker } from '../core/work/index.js';
import { DueRunsService } from './due/due-runs.service.js';
import { RunPlacingService } from './placing/run-placing.service.js';
import { END_WORDS } from './turns/run-turn.rules.js';
import { RunTurnsRepository } from './turns/run-turns.repository.js';
import { RunTurnsService } from './turns/run-turns.service.js';

const LOOK_EVERY_MS = 1_000;
const BATCH = 500;
const NOTHING = { begun: 0, more: false };

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

  /**
   * Until their time, runs hold no place. What has expired is ended first, so that it does not start. Each part goes on where
   * another fails.
   */
  @Loop({ every: LOOK_EVERY_MS, reachesOut: true })
  async look(): Promise<boolean> {
    const due = await this.repository.whatIsDue();
    const problems: unknown[] = [];
    const part = <T>(isDue: boolean, nothing: T, work: () => Promise<T>): Promise<T> =>
      isDue ? work().catch((error: unknown) => (problems.push(error), nothing)) : Promise.resolve(nothing);
    const expired = await part(due.expiries, 0, () => this.expire());
    const { begun, more } = await part(due.starts || due.retries, NOTHING, () => this.due.look());
    if (begun > 0) this.waker.wake(RUNS_QUEUE);
    const moreTurns = await part(due.turns || begun > 0, false, () => this.turns.look());
    const unplaced = await part(due.tagged, false, () => this.placing.look());
    if (problems.length > 0) throw problems[0];
    return more || moreTurns || unplaced || expired === BATCH;
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
