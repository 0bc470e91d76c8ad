import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { QuotaExceeded, RateLimited } from '../../core/errors/index.js';
import { IdempotencyService } from '../../core/idempotency/index.js';
import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Waker } from '../../core/work/index.js';
import { parseLabels } from '../../scripts/index.js';
import { UsageService } from '../../usage/index.js';
import { BACKLOG, RunBacklog } from '../automated/run-backlog.js';
import { runOf } from '../starting/run-creation.service.js';
import { retryOf, RunStartsService } from '../starting/run-starts.service.js';
import { turnOf } from '../turns/run-turn.rules.js';
import { BatchInputsService } from './batch-inputs.service.js';
import { NewBatchesRepository } from './new-batches.repository.js';
import type { RunBatchDto, RunBatchInput } from './run-batch.dto.js';

/** Starts many runs of a script at once: all, or none. */
@Injectable()
export class RunBatchesService {
  constructor(
    private readonly starts: RunStartsService,
    private readonly inputs: BatchInputsService,
    private readonly batches: NewBatchesRepository,
    private readonly usage: UsageService,
    private readonly backlog: RunBacklog,
    private readonly idempotency: IdempotencyService,
    private readonly waker: Waker,
    private readonly database: Database,
  ) {}

  async start(
    caller: WorkspaceCaller,
    slug: string,
    { inputs: given, via, retry: givenRetry, labels: givenLabels, ...times }: RunBatchInput,
  ): Promise<RunBatchDto> {
    const script = await this.starts.runnable(caller, { slug, version: null, test: false });
    this.usage.assertRunFits(script.plan, script);
    const retry = retryOf(givenRetry, script.idempotent);
    const labels = parseLabels(givenLabels, script.labels);
    const { queue, concurrency } = script;
    // Who sends a list has gathered it already.
    const turn = { ...turnOf(times, new Date()), queue, concurrency, debounce: null };
    const all = await this.inputs.check(caller, script, given);
    const batchId = newId('batch');
    const shared = {
      test: false,
      plan: false,
      via,
      retry,
      turn,
      labels,
      cause: { causeType: 'batch', causeId: batchId } as const,
    };
    const runs = all.map((inputs) => runOf(caller, script, { ...shared, id: newId('run'), inputs }, null));
    const response = { id: batchId, runs: runs.map(({ id }) => id) };
    const workspaceId = caller.workspace.id;
    if ((await this.backlog.full([workspaceId])).has(workspaceId)) {
      throw new RateLimited(BACKLOG.retrySeconds, `A batch has no room: ${BACKLOG.full}.`);
    }
    await this.database.transaction(async () => {
      await this.usage.useAgentRuns(caller, runs.length);
      const refusals = await this.usage.admit(
        'runs',
        runs.map(() => workspaceId),
      );
      const refusal = refusals.find((reason) => reason !== null);
      if (refusal !== undefined) throw new QuotaExceeded(refusal);
      await this.batches.insert(batchId, runs, caller);
      await this.idempotency.complete(202, response);
    });
    this.waker.wake(RUNS_QUEUE);
    return response;
  }
}
