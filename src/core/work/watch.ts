import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Notifications } from '../database/index.js';

/** Milliseconds after which a row is looked at again though no notification came: one may be lost. */
const LOOK_EVERY_MS = 2_000;

/** Waits until something happens to a row, in whichever process. */
@Injectable()
export class Watches implements OnModuleInit {
  constructor(private readonly notifications: Notifications) {}

  async onModuleInit(): Promise<void> {
    await this.notifications.listen();
  }

  /**
   * Listens from now on, so that nothing between this and the first wait is missed. To be closed in the end.
   *
   * @param topic what `Notifications.notify` names, with the row's id
   * @param ends end the watch when they are aborted, besides `close`
   */
  open<T = never>(topic: string, id: string, ...ends: readonly AbortSignal[]): Watch<T> {
    return new Watch(this.notifications, topic, id, ends);
  }
}

/** Listens to what happens to one row; `T` is the row as `Notifications.tellHere` gives it. */
export class Watch<T = never> {
  private readonly unsubscribe: (() => void)[];
  private pending = false;
  private row: T | null = null;
  private closed = false;
  private wake: (() => void) | null = null;

  constructor(notifications: Notifications, topic: string, id: string, ends: readonly AbortSignal[]) {
    const close = (): void => this.close();
    this.unsubscribe = [
      notifications.on(topic, id, (_id, row) => this.happened((row as T | undefined) ?? null)),
      notifications.onGap(() => this.happened(null)),
    ];
    for (const end of ends) {
      end.addEventListener('abort', close);
      this.unsubscribe.push(() => end.removeEventListener('abort', close));
      if (end.aborted) this.close();
    }
  }

  /** Resolves with true when something happened since the last call, with false after `timeoutMs` or when it is closed. */
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
    const happened = this.pending;
    this.pending = false;
    return happened;
  }

  /**
   * Looks at the row until nobody wants to wait any longer: at once, whenever something happened, and now and then.
   *
   * @param look reads the row, unless it was told what the row is
   * @param patienceMs for how many milliseconds more to wait, given the row; 0 where it is what was waited for
   * @returns the row as it was last
   */
  async until<R>(look: (told: T | null) => Promise<R>, patienceMs: (row: R) => number): Promise<R> {
    for (;;) {
      const { row: told } = this;
      this.row = null;
      const row = await look(told);
      const patience = patienceMs(row);
      if (patience <= 0 || this.closed) return row;
      await this.next(Math.min(patience, LOOK_EVERY_MS));
    }
  }

  close(): void {
    this.closed = true;
    for (const stop of this.unsubscribe) stop();
    this.wake?.();
  }

  /** A row that was told before may have changed since. */
  private happened(row: T | null): void {
    this.row = row;
    this.pending = true;
    this.wake?.();
  }
}
