import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { RUNS_QUEUE } from './queues.js';

@Injectable()
export class QueueHealth implements OnModuleInit {
  private readonly logger = new Logger('Queue');

  constructor(@InjectQueue(RUNS_QUEUE) private readonly runs: Queue) {}

  onModuleInit(): void {
    // Without a listener, a broken connection would end the process.
    this.runs.on('error', (error) => this.logger.warn(`Queue: ${error.message}`));
  }

  /** Rejects when the queue's store cannot be reached. */
  async check(): Promise<void> {
    await this.runs.getWaitingCount();
  }
}
