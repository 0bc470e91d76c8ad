import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';

import { RUNS_QUEUE } from '../../core/queue/queues.js';
import type { Wakeup } from '../../core/queue/wakeups.js';
import { RunDispatcher } from './run-dispatcher.js';

/** Wakes this worker up. What there is to do, the database tells. */
@Processor(RUNS_QUEUE, { concurrency: 1 })
export class RunsProcessor extends WorkerHost {
  private readonly logger = new Logger(RunsProcessor.name);

  constructor(private readonly dispatcher: RunDispatcher) {
    super();
  }

  async process({ data }: Job<Wakeup>): Promise<void> {
    await this.dispatcher.takeAll({ passedOn: data.passedOn ?? false });
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
