import { AsyncResource } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { WakeQueues } from './wake-queues.js';

/** Who does a topic's work in this process. */
export interface Worker {
  /** There is work, of these ids where the topic has any. False: this process has no room for it. */
  wake(ids: readonly string[]): boolean;
  /** It may look, though nobody said that there is work. */
  look?(): void;
}

/**
 * Tells those who do a kind of work that there is some. Where this process does it and has room, it does so at once;
 * otherwise the queue of the topic's name wakes another, if there is one. A wake may be lost on either way: it only saves
 * the time until a loop looks by itself.
 *
 * @example
 * this.waker.wake(MAILS); // within the transaction that inserts them
 */
@Injectable()
export class Waker {
  private readonly workers = new Map<string, Worker[]>();

  /** @internal */
  constructor(
    private readonly queues: WakeQueues,
    private readonly database: Database,
  ) {}

  /** Follows the commit of the surrounding transaction, and is forgotten where it rolls back. */
  wake(topic: string, ids: Iterable<string> = []): void {
    const known = [...ids];
    this.database.afterCommit(() => {
      const taken = this.here(topic).map((worker) => worker.wake(known));
      if (!taken.includes(true)) this.queues.send(topic, known);
    });
  }

  /** Has this process look again, for instance because it has room again. */
  look(topic: string): void {
    for (const worker of this.here(topic)) worker.look?.();
  }

  /** For another process, which does not pass it on again: this one may not take what waits. */
  passOn(topic: string): void {
    this.queues.passOn(topic);
  }

  /**
   * Registers who does a topic's work here. Loops that name the topic are registered by themselves. What the worker does is
   * part of no request, also where one wakes it.
   */
  onWake(topic: string, worker: Worker): void {
    const apart = {
      wake: AsyncResource.bind((ids: readonly string[]) => worker.wake(ids)),
      look: AsyncResource.bind(() => worker.look?.()),
    };
    this.workers.set(topic, [...this.here(topic), apart]);
  }

  private here(topic: string): readonly Worker[] {
    return this.workers.get(topic) ?? [];
  }
}
