import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

export const BUILDS_QUEUE = 'builds';

/** Gets a new build to a worker: one in this very process that has room, or the queue wakes another. Workers look by themselves, too. */
@Injectable()
export class BuildDispatch implements OnModuleInit {
  private readonly logger = new Logger('Queue');
  private local: (() => boolean) | null = null;

  constructor(@InjectQueue(BUILDS_QUEUE) private readonly queue: Queue) {}

  onModuleInit(): void {
    // Without a listener, a broken connection would end the process.
    this.queue.on('error', (error) => this.logger.warn(`Queue: ${error.message}`));
  }

  /** `hasRoom` starts to look for builds and returns true, or returns false when the worker is full. */
  registerLocal(hasRoom: () => boolean): void {
    this.local = hasRoom;
  }

  /** @param buildId also the job's, so that a build waits in the queue once */
  wake(buildId: string): void {
    if (this.local?.()) return;
    this.queue.add('wake', {}, { jobId: buildId }).catch((error: unknown) => {
      this.logger.warn(
        `The queue cannot be reached; workers find new builds by looking for them: ${String(error)}`,
      );
    });
  }
}
