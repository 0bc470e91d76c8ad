import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';

import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Loops, type WakeJob } from '../../core/work/index.js';

/** Wakes this worker up. It reads from the database what there is to do. */
@Processor(RUNS_QUEUE, { concurrency: 1 })
export class RunsProcessor extends WorkerHost {
  private readonly logger = new Logger(RunsProcessor.name);

  constructor(private readonly loops: Loops) {
    super();
  }

  async process({ data }: Job<WakeJob>): Promise<void> {
    await this.loops.passAndWaitForRoom(RUNS_QUEUE, { woken: data.passedOn !== true });
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
