import { Injectable } from '@nestjs/common';

import { Wakeups } from '../core/queue/wakeups.js';

/**
 * Gets a new run to a worker. One that is in this very process and has room takes it at once; otherwise the queue
 * wakes another. Either may fail to: workers look by themselves as well.
 */
@Injectable()
export class RunDispatch {
  private local: (() => boolean) | null = null;

  constructor(private readonly wakeups: Wakeups) {}

  /** `hasRoom` starts to look for runs and returns true, or returns false when the worker is full. */
  registerLocal(hasRoom: () => boolean): void {
    this.local = hasRoom;
  }

  wake(): void {
    if (!this.local?.()) this.wakeups.wakeRunWorkers();
  }

  /** A run waits that this worker may not take, since its workspace has its share here: another worker may. */
  passOn(): void {
    this.wakeups.passOn();
  }
}
