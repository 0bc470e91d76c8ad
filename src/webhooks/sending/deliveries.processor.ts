import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';

import { QueueProcessor } from '../../core/queue/index.js';
import type { WakeJob } from '../../core/work/index.js';
import { DELIVERIES_QUEUE } from '../deliveries-queue.js';
import { DeliveryDrains } from './delivery-drains.js';

/** Wakes this worker up for one endpoint. What there is to send, the database tells. */
@Processor(DELIVERIES_QUEUE, { concurrency: 200 })
export class DeliveriesProcessor extends QueueProcessor {
  constructor(private readonly drains: DeliveryDrains) {
    super();
  }

  /** Until nothing was due: while this job is there, the queue takes no other for the endpoint. */
  async process({ data: { id } }: Job<WakeJob>): Promise<void> {
    while (id !== undefined && (await this.drains.drain(id)) > 0);
  }
}
