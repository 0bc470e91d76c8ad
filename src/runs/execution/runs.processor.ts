import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';

import { QueueProcessor, RUNS_QUEUE } from '../../core/queue/index.js';
import { Loops, type WakeJob } from '../../core/work/index.js';

/** Wakes this worker up. It reads from the database what there is to do. */
@Processor(RUNS_QUEUE, { concurrency: 1 })
export class RunsProcessor extends QueueProcessor {
  constructor(private readonly loops: Loops) {
    super();
  }

  async process({ data }: Job<WakeJob>): Promise<void> {
    await this.loops.passAndWaitForRoom(RUNS_QUEUE, { woken: data.passedOn !== true });
  }
}
