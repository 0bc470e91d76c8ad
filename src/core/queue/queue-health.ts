import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { RUNS_QUEUE } from './queues.js';

@Injectable()
export class QueueHealth {
  constructor(@InjectQueue(RUNS_QUEUE) private readonly runs: Queue) {}

  /** Rejects when the queue's store cannot be reached. */
  async check(): Promise<void> {
    await this.runs.getWaitingCount();
  }
}
