import { Injectable } from '@nestjs/common';

import { HeldCopy, InstanceHeartbeat, type LeasedWork, type ReservedPlace } from '../../core/work/index.js';
import type { ClaimedRun } from './claimed-run.js';
import type { RunExecution } from './run-execution.js';
import type { Renewal } from './run-execution.repository.js';
import type { RunExecutionsService } from './run-executions.service.js';

/** The runs that a worker has taken. */
export type ExecutingRuns = LeasedWork<ClaimedRun, RunExecution, Renewal>;

/** Where a run may begin as it is written. */
export interface RunPlace extends ReservedPlace {
  worker: string;
  /** The names of the versions that are unpacked there. */
  unpacked: string[];
}

/** The places of the worker in this process, if it has one, for runs that begin as they are written. */
@Injectable()
export class RunPlaces {
  private worker: { executing: ExecutingRuns; executions: RunExecutionsService } | null = null;

  constructor(
    private readonly instance: InstanceHeartbeat,
    private readonly copy: HeldCopy,
  ) {}

  /** The worker has started. */
  open(executing: ExecutingRuns, executions: RunExecutionsService): void {
    this.worker = { executing, executions };
  }

  /** Keeps a place for a run that is about to be written, if one is free: `begin` follows, or `release`. */
  reserve(run: { id: string; workspaceId: string }): RunPlace | null {
    if (!this.worker || this.copy.isHeld) return null;
    const { executing, executions } = this.worker;
    const place = executing.reserve(run);
    return place && { ...place, worker: this.instance.id, unpacked: executions.unpacked() };
  }

  /** Once it is committed that this worker has the run. */
  begin(run: ClaimedRun): void {
    this.worker?.executing.begin(run);
  }

  /** Does nothing for a run that has begun, or has no place. */
  release(runId: string): void {
    this.worker?.executing.release(runId);
  }
}
