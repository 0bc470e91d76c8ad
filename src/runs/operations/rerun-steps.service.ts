import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { ProblemError, QuotaExceeded, RateLimited, Unavailable } from '../../core/errors/index.js';
import { UsageService } from '../../usage/index.js';
import { BACKLOG, RunBacklog } from '../automated/run-backlog.js';
import { holdOfStart, RunCreationService } from '../starting/run-creation.service.js';
import { type PreparedRun, RunStartsService } from '../starting/run-starts.service.js';
import { type JudgedRun, OperationRunsService } from './operation-runs.service.js';
import type { RunOperation } from './run-operation.entity.js';
import { done, type RunResult, skipped } from './run-operation.rules.js';
import { RunOperationsRepository } from './run-operations.repository.js';

/** The inputs of a run may be heavy to check: what is not prepared by then is left to the next step. */
const PREPARED_WITHIN_MS = 5_000;

type Wish = RunResult | (JudgedRun & { prepared: PreparedRun });

/** Runs some runs of an operation again, each as by itself. */
@Injectable()
export class RerunStepsService {
  constructor(
    private readonly operations: RunOperationsRepository,
    private readonly judging: OperationRunsService,
    private readonly starts: RunStartsService,
    private readonly creation: RunCreationService,
    private readonly backlog: RunBacklog,
    private readonly usage: UsageService,
    private readonly database: Database,
  ) {}

  /** @throws RateLimited while the workspace has no room for more */
  async carryOut(operation: RunOperation, ids: readonly string[]): Promise<void> {
    const { id, workspaceId } = operation;
    if ((await this.backlog.full([workspaceId])).has(workspaceId)) {
      throw new RateLimited(BACKLOG.retrySeconds, `It has no room to go on: ${BACKLOG.full}.`);
    }
    const wishes = await this.prepare(await this.judging.judge(operation, ids));
    await this.database.transaction(async () => {
      if (!(await this.operations.lock(operation))) return;
      const results: RunResult[] = [];
      const quota = await this.startEach(wishes, results);
      await this.operations.moveOn(operation, results);
      if (quota !== null) await this.operations.end(id, 'failed', quota.message);
    });
  }

  /** Outside of the transaction, since a check takes as long as the schema wants. */
  private async prepare(runs: readonly (JudgedRun | RunResult)[]): Promise<Wish[]> {
    const until = performance.now() + PREPARED_WITHIN_MS;
    const wishes: Wish[] = [];
    for (const run of runs) {
      if (wishes.length > 0 && performance.now() > until) break;
      wishes.push('result' in run ? run : await this.prepareOne(run));
    }
    return wishes;
  }

  private async prepareOne(run: JudgedRun): Promise<Wish> {
    return skippedIfRefused(run.id, async () => {
      const prepared = await this.starts.prepareRerun(run.caller, run.id);
      const { script } = prepared;
      // Others of the operation may ask for less.
      const excess = this.usage.excessOfRun(script.plan, script);
      if (excess !== null) return skipped(run.id, excess);
      const hold = holdOfStart(run.caller, script, prepared.wanted);
      if (hold === null) return { ...run, prepared };
      return skipped(run.id, `${hold.reason} Run it again by itself.`);
    });
  }

  /** Returns why the workspace or its agent may start no more, if that is so. */
  private async startEach(wishes: readonly Wish[], results: RunResult[]): Promise<QuotaExceeded | null> {
    for (const wish of wishes) {
      try {
        results.push('result' in wish ? wish : await this.startOne(wish));
      } catch (error) {
        if (error instanceof QuotaExceeded) return error;
        throw error;
      }
    }
    return null;
  }

  private startOne({ id, caller, prepared }: JudgedRun & { prepared: PreparedRun }): Promise<RunResult> {
    return skippedIfRefused(id, async () => {
      await this.database.savepoint(() => this.creation.create(caller, prepared.script, prepared.wanted));
      return done(id);
    });
  }
}

/** A refusal is about the run alone, unless it is one that time or a larger plan ends. */
async function skippedIfRefused<T>(id: string, work: () => Promise<T>): Promise<T | RunResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const isOfAll = [QuotaExceeded, RateLimited, Unavailable].some((kind) => error instanceof kind);
    if (isOfAll || error.status >= 500) throw error;
    return skipped(id, error.message);
  }
}
