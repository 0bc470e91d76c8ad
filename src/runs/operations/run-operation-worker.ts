import { Injectable } from '@nestjs/common';

import { Causes } from '../../core/causes/index.js';
import { Database } from '../../core/database/index.js';
import { ProblemError } from '../../core/errors/index.js';
import { Loop } from '../../core/work/index.js';
import { CancelStepsService } from './cancel-steps.service.js';
import { OperationEnds } from './operation-ends.js';
import { RerunStepsService } from './rerun-steps.service.js';
import type { RunOperation } from './run-operation.entity.js';
import { leftOut, OPERATION_HOURS, type OperationKind } from './run-operation.rules.js';
import { RUN_OPERATIONS } from './run-operation.topics.js';
import { RunOperationsRepository } from './run-operations.repository.js';

const LOOK_EVERY_MS = 2_000;
const LEASE_SECONDS = 30;

/** So many runs are changed in one transaction, with how far the operation is. */
const STEP: Record<OperationKind, number> = { cancel: 50, rerun: 20 };

/** A step that was begun so often is of one run alone. */
const MOST_ATTEMPTS_TOGETHER = 2;
/** After so many, that run is left out. */
const MOST_ATTEMPTS = 4;

/** Carries operations on many runs out, a step of each in turn. Every process does this. */
@Injectable()
export class RunOperationWorker {
  constructor(
    private readonly operations: RunOperationsRepository,
    private readonly cancels: CancelStepsService,
    private readonly reruns: RerunStepsService,
    private readonly causes: Causes,
    private readonly database: Database,
  ) {}

  /** The claim only keeps others from the same work: who comes late finds that the operation has moved on. */
  @Loop({ every: LOOK_EVERY_MS, wake: RUN_OPERATIONS, reachesOut: true })
  async step(): Promise<boolean> {
    const operation = await this.operations.claim(LEASE_SECONDS);
    if (!operation) return false;
    const { id, workspaceId, causedByRunId } = operation;
    const work = (): Promise<void> => (operation.isTooOld ? this.end(id, TOO_OLD) : this.carryOut(operation));
    await (causedByRunId === null ? work() : this.causes.within({ id: causedByRunId, workspaceId }, work));
    return true;
  }

  private async carryOut(operation: RunOperation): Promise<void> {
    const { kind, attempts } = operation;
    if (attempts > MOST_ATTEMPTS) return this.leaveOutNext(operation);
    const ids = await this.operations.nextRuns(operation, attempts > MOST_ATTEMPTS_TOGETHER ? 1 : STEP[kind]);
    // It has ended meanwhile.
    if (ids.length === 0) return;
    try {
      await (kind === 'cancel' ? this.cancels : this.reruns).carryOut(operation, ids);
    } catch (error) {
      if (error instanceof OperationEnds || isQuota(error)) return this.end(operation.id, error.message);
      const seconds = error instanceof ProblemError ? Number(error.headers['retry-after']) : NaN;
      if (!(error instanceof ProblemError) || Number.isNaN(seconds)) throw error;
      await this.operations.postpone(operation, seconds, error.message);
    }
  }

  private async leaveOutNext(operation: RunOperation): Promise<void> {
    const ids = await this.operations.nextRuns(operation, 1);
    await this.database.transaction(async () => {
      if (!(await this.operations.lock(operation))) return;
      const results = ids.map((id) => leftOut('failed', id, 'The service failed at it several times.'));
      await this.operations.moveOn(operation, results);
    });
  }

  private async end(id: string, error: string): Promise<void> {
    await this.operations.end(id, 'failed', error);
  }
}

const TOO_OLD = `It has not come to its end within ${OPERATION_HOURS} hours.`;

function isQuota(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.code === 'quota_exceeded';
}
