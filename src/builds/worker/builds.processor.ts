import { Processor } from '@nestjs/bullmq';

import { QueueProcessor } from '../../core/queue/index.js';
import { Loops } from '../../core/work/index.js';
import { BUILDS_QUEUE } from '../build.status.js';

/** Wakes this worker up. What there is to do, the database tells. */
@Processor(BUILDS_QUEUE, { concurrency: 1 })
export class BuildsProcessor extends QueueProcessor {
  constructor(private readonly loops: Loops) {
    super();
  }

  async process(): Promise<void> {
    await this.loops.passAndWaitForRoom(BUILDS_QUEUE, { woken: true });
  }
}
