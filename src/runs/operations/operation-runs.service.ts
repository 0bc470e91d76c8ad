import { Injectable } from '@nestjs/common';

import { RecalledCallers, type WorkspaceCaller } from '../../core/access/index.js';
import { InvalidRequest, ProblemError, Unauthorized, Unavailable } from '../../core/errors/index.js';
import { START_RUNS } from '../run-access.js';
import { type RunPlacing, RunsRepository } from '../runs.repository.js';
import { OperationEnds } from './operation-ends.js';
import type { RunOperation } from './run-operation.entity.js';
import { type RunResult, skipped } from './run-operation.rules.js';

/** A run of an operation, with whoever asked for it as they are now in the run's environment. */
export interface JudgedRun {
  id: string;
  approvalRequestId: string | null;
  caller: WorkspaceCaller;
}

/** Judges whoever asked for an operation once more, as for a request about each of its runs. */
@Injectable()
export class OperationRunsService {
  constructor(
    private readonly runs: RunsRepository,
    private readonly callers: RecalledCallers,
  ) {}

  /**
   * In the order of the ids; of a run that is none of theirs, what becomes of it.
   *
   * @throws OperationEnds where their credential has ended, or does not reach any more
   */
  async judge(operation: RunOperation, ids: readonly string[]): Promise<(JudgedRun | RunResult)[]> {
    const placings = new Map((await this.runs.placingsOf(ids)).map((placing) => [placing.id, placing]));
    const callers = await this.callersIn(operation, [...placings.values()]);
    const visible = new Set<string>();
    for (const [environmentId, caller] of callers) {
      const there = ids.filter((id) => placings.get(id)?.environmentId === environmentId);
      for (const id of await this.runs.visibleAmong(caller, there)) visible.add(id);
    }
    return ids.map((id) => {
      const placing = placings.get(id);
      if (placing?.environmentIsGone) return skipped(id, `The environment ${placing.environment} is gone.`);
      if (!placing || !visible.has(id)) {
        return skipped(id, 'It is gone, or who asked for this may not see it any more.');
      }
      const caller = callers.get(placing.environmentId)!;
      return { id, approvalRequestId: placing.approvalRequestId, caller };
    });
  }

  private async callersIn(
    operation: RunOperation,
    placings: readonly RunPlacing[],
  ): Promise<Map<string, WorkspaceCaller>> {
    const callers = new Map<string, WorkspaceCaller>();
    for (const placing of placings) {
      if (placing.environmentIsGone || callers.has(placing.environmentId)) continue;
      callers.set(placing.environmentId, await this.callerIn(operation, placing));
    }
    return callers;
  }

  private async callerIn(operation: RunOperation, placing: RunPlacing): Promise<WorkspaceCaller> {
    const { credentialStrategy: strategy, credentialHash: hash, workspaceId } = operation;
    const { workspace, environment, environmentId } = placing;
    try {
      const caller = await this.callers.recall(
        { strategy, hash: hash! },
        { workspace, environment },
        START_RUNS,
      );
      if (caller.workspace.id === workspaceId && caller.environment.id === environmentId) return caller;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error instanceof Unauthorized) throw new OperationEnds(CREDENTIAL_ENDED);
      if (!(error instanceof InvalidRequest)) throw new OperationEnds(`${NOT_ALLOWED} ${error.message}`);
    }
    throw new Unavailable(`The environment ${environment} is being changed.`);
  }
}

const CREDENTIAL_ENDED = 'The credential by which this was asked for has ended.';
const NOT_ALLOWED = 'Who asked for this may not do it any more.';
