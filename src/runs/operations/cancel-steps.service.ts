import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { RunsService } from '../runs.service.js';
import { type JudgedRun, OperationRunsService } from './operation-runs.service.js';
import type { RunOperation } from './run-operation.entity.js';
import { done, type RunResult, skipped } from './run-operation.rules.js';
import { RunOperationsRepository } from './run-operations.repository.js';

/** Cancels some runs of an operation, each as by itself. */
@Injectable()
export class CancelStepsService {
  constructor(
    private readonly operations: RunOperationsRepository,
    private readonly judging: OperationRunsService,
    private readonly runs: RunsService,
    private readonly database: Database,
  ) {}

  async carryOut(operation: RunOperation, ids: readonly string[]): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.operations.lock(operation))) return;
      const results: RunResult[] = [];
      for (const run of await this.judging.judge(operation, ids)) {
        results.push('result' in run ? run : await this.cancel(run));
      }
      await this.operations.moveOn(operation, results);
    });
  }

  private async cancel(run: JudgedRun): Promise<RunResult> {
    const before = await this.runs.cancelVisible(run.caller, run);
    return before === null ? skipped(run.id, 'It had ended already.') : done(run.id);
  }
}
