import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';

/** What takes the jobs of a queue. Without a listener, a broken connection would end the process. */
export abstract class QueueProcessor extends WorkerHost {
  private readonly logger = new Logger(this.constructor.name);

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn(`Queue: ${error.message}`);
  }
}
