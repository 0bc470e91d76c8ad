import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Tracing } from '../../core/tracing/index.js';
import {
  type Claimed,
  LeasedWork,
  type LeasedWorkOptions,
  type Places,
  Waker,
} from '../../core/work/index.js';
import { PlanLimits } from '../../usage/index.js';
import { RunMetrics } from '../run-metrics.js';
import { type ClaimedRun, logFieldsOf } from './claimed-run.js';
import { ExecutionParts } from './execution-parts.js';
import { RunExecution } from './run-execution.js';
import type { Renewal } from './run-execution.repository.js';
import { RunTrace } from './run-trace.js';

/** The runs that this worker has taken. All of them begin here. */
@Injectable()
export class ExecutingRuns implements LeasedWorkOptions<ClaimedRun, RunExecution> {
  private readonly logger = new Logger('Runs');
  readonly places: number;
  readonly share: number;
  readonly tags: string[];
  readonly leased: LeasedWork<ClaimedRun, RunExecution, Renewal>;

  constructor(
    private readonly parts: ExecutionParts,
    private readonly waker: Waker,
    private readonly metrics: RunMetrics,
    private readonly tracing: Tracing,
    private readonly plans: PlanLimits,
    { runConcurrency, workspaceShare, workerTags }: Settings,
  ) {
    this.places = runConcurrency;
    this.share = workspaceShare;
    this.tags = workerTags;
    this.leased = new LeasedWork(this);
    metrics.places(this.places, () => this.leased.size);
  }

  /** The names of the versions that are unpacked on this worker. */
  unpacked(): string[] {
    return this.parts.folders.unpacked();
  }

  claim(places: Places): Promise<Claimed<ClaimedRun>> {
    return this.parts.runs.claim(places, this.unpacked(), this.tags);
  }

  begin(run: ClaimedRun): RunExecution {
    this.metrics.taken(run.waitedSeconds);
    const limits = this.plans.ofRun(run.workspacePlan);
    return new RunExecution(run, limits, this.parts, new RunTrace(this.tracing, run));
  }

  onRoom(): void {
    this.waker.look(RUNS_QUEUE);
  }

  onError(run: ClaimedRun, error: unknown): void {
    this.logger.error(String(error), logFieldsOf(run));
  }
}
