import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

export const DELIVERIES_QUEUE = 'deliveries';

const WARN_EVERY_MS = 30_000;

/**
 * Gets endpoints with something to send to a worker: the one in this very process, or the queue wakes another. Either may
 * fail to: workers look by themselves as well.
 */
@Injectable()
export class DeliveryDispatch implements OnModuleInit {
  private readonly logger = new Logger('Queue');
  private local: ((endpointId: string) => void) | null = null;
  private warnedAt = 0;

  constructor(@InjectQueue(DELIVERIES_QUEUE) private readonly queue: Queue) {}

  onModuleInit(): void {
    // Without a listener, a broken connection would end the process.
    this.queue.on('error', (error) => this.warn(error));
  }

  /** `drain` starts to send what is due at an endpoint. */
  registerLocal(drain: (endpointId: string) => void): void {
    this.local = drain;
  }

  wake(endpointIds: Iterable<string>): void {
    const ids = [...endpointIds];
    if (this.local) return ids.forEach(this.local);
    // The endpoint is the job's id, so that it waits in the queue once.
    const jobs = ids.map((endpointId) => ({
      name: 'drain',
      data: { endpointId },
      opts: { jobId: endpointId },
    }));
    this.queue.addBulk(jobs).catch((error: unknown) => this.warn(error));
  }

  private warn(error: unknown): void {
    if (Date.now() - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = Date.now();
    this.logger.warn(
      `The queue cannot be reached; workers find deliveries by looking for them: ${String(error)}`,
    );
  }
}
