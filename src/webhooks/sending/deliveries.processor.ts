import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';

import type { WakeJob } from '../../core/work/index.js';
import { DELIVERIES_QUEUE } from '../deliveries-queue.js';
import { DeliveryDrains } from './delivery-drains.js';

/** Wakes this worker up for one endpoint. What there is to send, the database tells. */
@Processor(DELIVERIES_QUEUE, { concurrency: 200 })
export class DeliveriesProcessor extends WorkerHost {
  private readonly logger = new Logger(DeliveriesProcessor.name);

  constructor(private readonly drains: DeliveryDrains) {
    super();
  }

  /** Until nothing was due: while this job is there, the queue takes no other for the endpoint. */
  async process({ data: { id } }: Job<WakeJob>): Promise<void> {
    while (id !== undefined && (await this.drains.drain(id)) > 0);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
