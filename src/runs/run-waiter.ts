import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Notifications } from '../core/database/notifications.js';

export const RUN_TOPIC = 'run';

/** Waits until something happened to a run: told by a notification, or by the clock. */
@Injectable()
export class RunWaiter implements OnModuleInit {
  constructor(private readonly notifications: Notifications) {}

  async onModuleInit(): Promise<void> {
    await this.notifications.listen();
  }

  /** Listens from now on, so that nothing between this and `next` is missed. */
  watch(runId: string): RunWatch {
    return new RunWatch(this.notifications, runId);
  }
}

export class RunWatch {
  private readonly stop: (() => void)[];
  private pending = false;
  private closed = false;
  private wake: (() => void) | null = null;

  constructor(notifications: Notifications, runId: string) {
    const heard = (): void => {
      this.pending = true;
      this.wake?.();
    };
    this.stop = [notifications.on(RUN_TOPIC, runId, heard), notifications.onGap(heard)];
  }

  /** Resolves with true when something happened since the last call, with false after `timeoutMs`. */
  async next(timeoutMs: number): Promise<boolean> {
    if (!this.pending && !this.closed && timeoutMs > 0) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, timeoutMs);
        this.wake = () => {
          clearTimeout(timer);
          done();
        };
      });
      this.wake = null;
    }
    const heard = this.pending;
    this.pending = false;
    return heard;
  }

  close(): void {
    this.closed = true;
    for (const stop of this.stop) stop();
    this.wake?.();
  }
}
