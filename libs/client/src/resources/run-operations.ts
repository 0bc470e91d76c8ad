import {
  runOperationsCancel,
  runOperationsCancelMany,
  runOperationsGet,
  runOperationsList,
  runOperationsRerunMany,
} from '../generated/sdk.gen.js';
import type {
  MatchingRuns,
  RunOperation,
  RunOperationsListData,
  RunsCancelInput,
  RunsRerunInput,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Which runs are meant: at least one that narrows, or `all`. */
export type RunsToCancel = Omit<RunsCancelInput, 'dryRun'>;
export type RunsToRerun = Omit<RunsRerunInput, 'dryRun'>;

const LOOK_EVERY_MS = 1_000;

/** What is done to all runs that fit a filter. */
export class RunOperations {
  constructor(private readonly calls: Calls) {}

  /**
   * Cancels the runs that fit now. It goes on after this: `wait` waits for its end.
   *
   * @example
   * const { id } = await gatehouse.runOperations.cancelRuns({ script: 'import', status: 'running' });
   * const { done, skipped } = await gatehouse.runOperations.wait(id);
   */
  async cancelRuns(filter: RunsToCancel, options?: CallOptions): Promise<RunOperation> {
    const body = { ...filter, dryRun: false };
    return (await this.calls.send(runOperationsCancelMany<true>, { body }, options)) as RunOperation;
  }

  /** Runs those again that fit now and have ended, each once. */
  async rerunRuns(filter: RunsToRerun, options?: CallOptions): Promise<RunOperation> {
    const body = { ...filter, dryRun: false };
    return (await this.calls.send(runOperationsRerunMany<true>, { body }, options)) as RunOperation;
  }

  /** How many runs `cancelRuns` would cancel now. Changes nothing. */
  async countToCancel(filter: RunsToCancel, options?: CallOptions): Promise<MatchingRuns> {
    const body = { ...filter, dryRun: true };
    return (await this.calls.send(runOperationsCancelMany<true>, { body }, options)) as MatchingRuns;
  }

  /** How many runs `rerunRuns` would run again now. Changes nothing. */
  async countToRerun(filter: RunsToRerun, options?: CallOptions): Promise<MatchingRuns> {
    const body = { ...filter, dryRun: true };
    return (await this.calls.send(runOperationsRerunMany<true>, { body }, options)) as MatchingRuns;
  }

  /** Newest first, without the runs that were left out. */
  list(query?: RunOperationsListData['query'], options?: CallOptions): Pages<RunOperation> {
    return this.calls.list(runOperationsList<true>, { query }, options);
  }

  get(operationId: string, options?: CallOptions): Promise<RunOperation> {
    return this.calls.send(runOperationsGet<true>, { path: { operationId } }, options);
  }

  /** Ends it. What it has done stays done. */
  cancel(operationId: string, options?: CallOptions): Promise<RunOperation> {
    return this.calls.send(runOperationsCancel<true>, { path: { operationId } }, options);
  }

  /** Waits until it has ended. */
  async wait(
    operationId: string,
    { onProgress, ...options }: CallOptions & { onProgress?: (operation: RunOperation) => void } = {},
  ): Promise<RunOperation> {
    for (;;) {
      const operation = await this.get(operationId, options);
      onProgress?.(operation);
      if (operation.status !== 'running') return operation;
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  }
}
