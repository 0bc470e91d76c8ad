import { Injectable } from '@nestjs/common';

import { Notifications } from '../core/database/notifications.js';
import { Lifecycle } from '../core/lifecycle/lifecycle.js';
import { BUILD_TOPIC, type BuildStatus } from './build.status.js';
import { type BuildRow, BuildsRepository } from './builds.repository.js';

/** A notification may be lost. */
const LOOK_EVERY_MS = 2_000;

export interface Patience {
  /** Until a worker takes it. */
  queuedMs: number;
  /** Altogether. */
  totalMs: number;
}

/** Waits for the end of a build. */
@Injectable()
export class BuildWaiter {
  constructor(
    private readonly builds: BuildsRepository,
    private readonly notifications: Notifications,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** The build when it has ended, or as it was when patience did; null: it is gone. Ends early when the process stops. */
  async wait(build: BuildRow, patience: Patience): Promise<BuildRow | null> {
    if (isOver(build.status)) return build;
    await this.notifications.listen();
    let heard = (): void => undefined;
    const wake = (): void => heard();
    const stops = [this.notifications.on(BUILD_TOPIC, build.id, wake), this.notifications.onGap(wake)];
    const { stopping } = this.lifecycle;
    stopping.addEventListener('abort', wake);
    const begin = Date.now();
    try {
      for (;;) {
        const next = new Promise<void>((resolve) => (heard = resolve));
        const now = await this.builds.find(build.id);
        if (!now || isOver(now.status) || stopping.aborted) return now;
        const limit = now.status === 'queued' ? patience.queuedMs : patience.totalMs;
        const left = begin + limit - Date.now();
        if (left <= 0) return now;
        const timer = setTimeout(heard, Math.min(left, LOOK_EVERY_MS));
        await next;
        clearTimeout(timer);
      }
    } finally {
      stopping.removeEventListener('abort', wake);
      for (const stop of stops) stop();
    }
  }
}

function isOver(status: BuildStatus): boolean {
  return status === 'succeeded' || status === 'failed';
}
