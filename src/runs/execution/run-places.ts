import { Injectable, Optional } from '@nestjs/common';

import { RUNS_QUEUE } from '../../core/queue/index.js';
import { HeldCopy, InstanceHeartbeat, type ReservedPlace, Waker } from '../../core/work/index.js';
import type { ClaimedRun } from './claimed-run.js';
import { ExecutingRuns } from './executing-runs.js';

/** Where a run may begin as it is written. */
export interface RunPlace extends ReservedPlace {
  worker: string;
  /** The names of the versions that are unpacked there. */
  unpacked: string[];
  /** What its worker carries. */
  tags: string[];
}

/** The places of the worker in this process, if it has one, for runs that begin as they are written. */
@Injectable()
export class RunPlaces {
  constructor(
    private readonly instance: InstanceHeartbeat,
    private readonly copy: HeldCopy,
    private readonly waker: Waker,
    @Optional() private readonly executing?: ExecutingRuns,
  ) {}

  /** Keeps a place for a run that is about to be written, if one is free: `begin` follows, or `release`. */
  reserve(run: { id: string; workspaceId: string }): RunPlace | null {
    if (!this.executing || this.copy.isHeld) return null;
    const place = this.executing.leased.reserve(run);
    const { tags } = this.executing;
    return place && { ...place, worker: this.instance.id, unpacked: this.executing.unpacked(), tags };
  }

  /** Once a run is committed: this worker has it, or a worker is to take it. */
  begin(run: ClaimedRun | null): void {
    if (run) this.executing?.leased.begin(run);
    else this.waker.wake(RUNS_QUEUE);
  }

  /** Does nothing for a run that has begun, or has no place. */
  release(runId: string): void {
    this.executing?.leased.release(runId);
  }
}
