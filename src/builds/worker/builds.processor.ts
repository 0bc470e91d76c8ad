import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';

import { BUILDS_QUEUE } from '../build-dispatch.js';
import { BuildDispatcher } from './build-dispatcher.js';

/** Wakes this worker up. What there is to do, the database tells. */
@Processor(BUILDS_QUEUE, { concurrency: 1 })
export class BuildsProcessor extends WorkerHost {
  private readonly logger = new Logger(BuildsProcessor.name);

  constructor(private readonly dispatcher: BuildDispatcher) {
    super();
  }

  async process(): Promise<void> {
    await this.dispatcher.look();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
