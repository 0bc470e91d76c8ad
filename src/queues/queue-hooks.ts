import { Injectable } from '@nestjs/common';

import type { Queue } from './queue.entity.js';

/** What becomes of runs where a queue changes. Each is called in the transaction of the change, after it. */
export interface QueueListener {
  /** Fewer may go on at once, or more, or none. */
  onChange(queue: Pick<Queue, 'workspaceId' | 'name'>): Promise<void>;
  /** A script, whose row is locked, is in another queue; null: in none. */
  onMove(script: { id: string; workspaceId: string }, from: string | null, to: string | null): Promise<void>;
}

/**
 * An extension point: whoever has runs wait is told when a queue changes, or the scripts in it.
 *
 * @example
 * onModuleInit(): void {
 *   this.queues.register(this);
 * }
 */
@Injectable()
export class QueueHooks {
  private readonly listeners: QueueListener[] = [];

  register(listener: QueueListener): void {
    this.listeners.push(listener);
  }

  async changed(queue: Pick<Queue, 'workspaceId' | 'name'>): Promise<void> {
    for (const listener of this.listeners) await listener.onChange(queue);
  }

  async moved(...move: Parameters<QueueListener['onMove']>): Promise<void> {
    for (const listener of this.listeners) await listener.onMove(...move);
  }
}
