import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';

import { Loops } from '../../core/work/index.js';
import { BUILDS_QUEUE } from '../build.status.js';

/** Wakes this worker up. What there is to do, the database tells. */
@Processor(BUILDS_QUEUE, { concurrency: 1 })
export class BuildsProcessor extends WorkerHost {
  private readonly logger = new Logger(BuildsProcessor.name);

  constructor(private readonly loops: Loops) {
    super();
  }

  async process(): Promise<void> {
    await this.loops.passAndWaitForRoom(BUILDS_QUEUE, { woken: true });
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
