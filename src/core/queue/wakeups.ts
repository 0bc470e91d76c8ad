import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { Instance } from './instance.js';
import { RUNS_QUEUE } from './queues.js';

/** At most this many wake-ups of one process wait in the queue; more would tell nobody anything new. */
const MOST_WAITING = 64;
const WARN_EVERY_MS = 30_000;
/** Workers look by themselves as often. */
const PASS_ON_EVERY_MS = 1_000;

/** What a wake-up says besides «look». */
export interface Wakeup {
  /** The worker that had it could not take what waits. */
  passedOn?: boolean;
}

/**
 * Tells some worker that there is work. A wake-up that cannot be sent is no error: workers also look by themselves
 * once a second.
 */
@Injectable()
export class Wakeups {
  private readonly logger = new Logger(Wakeups.name);
  private count = 0;
  private sending: Promise<void> | null = null;
  private again = false;
  private warnedAt = 0;
  private passedOnAt = 0;

  constructor(
    @InjectQueue(RUNS_QUEUE) private readonly runs: Queue,
    private readonly instance: Instance,
  ) {}

  /** Wake-ups asked for while one is being sent are sent as one. */
  wakeRunWorkers(): void {
    if (this.sending) {
      this.again = true;
      return;
    }
    this.sending = this.send().finally(() => {
      this.sending = null;
      if (this.again) {
        this.again = false;
        this.wakeRunWorkers();
      }
    });
  }

  /** For another worker, which does not pass it on again. */
  passOn(): void {
    if (Date.now() - this.passedOnAt < PASS_ON_EVERY_MS) return;
    this.passedOnAt = Date.now();
    void this.send({ passedOn: true });
  }

  private async send(wakeup: Wakeup = {}): Promise<void> {
    // The job's id repeats, so that a queue nobody reads does not grow without end.
    const jobId = `${this.instance.id}-${this.count++ % MOST_WAITING}`;
    try {
      await this.runs.add('wake', wakeup, { jobId });
    } catch (error) {
      if (Date.now() - this.warnedAt < WARN_EVERY_MS) return;
      this.warnedAt = Date.now();
      this.logger.warn(
        `The queue cannot be reached; workers find new runs by looking for them: ${String(error)}`,
      );
    }
  }
}
