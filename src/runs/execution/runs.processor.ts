import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';

import { RUNS_QUEUE } from '../../core/queue/queues.js';
import { RunDispatcher } from './run-dispatcher.js';

/** Wakes this worker up. What there is to do, the database tells. */
@Processor(RUNS_QUEUE, { concurrency: 1 })
export class RunsProcessor extends WorkerHost {
  private readonly logger = new Logger(RunsProcessor.name);

  constructor(private readonly dispatcher: RunDispatcher) {
    super();
  }

  async process(): Promise<void> {
    await this.dispatcher.takeAll();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
