import { createHash } from 'node:crypto';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Notifications } from '../core/database/index.js';

const TOPIC = 'mcp-cancel';

/**
 * Requests in progress that a later message may cancel, in whichever process it arrives. Ids are made by the clients, so two
 * clients of one grant may use the same: where two such requests are in progress, neither is cancelled.
 */
@Injectable()
export class McpCancellations implements OnModuleInit {
  private readonly underWay = new Map<string, Set<AbortController>>();

  constructor(private readonly notifications: Notifications) {}

  onModuleInit(): void {
    this.notifications.onAny(TOPIC, (key) => this.cancel(key));
  }

  async during<T>(grantId: string, id: unknown, work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const key = keyOf(grantId, id);
    const controller = new AbortController();
    if (key === null) return work(controller.signal);
    const same = this.underWay.get(key) ?? new Set();
    this.underWay.set(key, same.add(controller));
    try {
      return await work(controller.signal);
    } finally {
      same.delete(controller);
      if (same.size === 0) this.underWay.delete(key);
    }
  }

  async tell(grantId: string, id: unknown): Promise<void> {
    const key = keyOf(grantId, id);
    if (key === null) return;
    if (this.underWay.has(key)) this.cancel(key);
    else await this.notifications.notify(TOPIC, key);
  }

  private cancel(key: string): void {
    const same = this.underWay.get(key);
    if (same?.size === 1) for (const controller of same) controller.abort();
  }
}

/** An id of whatever length, in a form that a notification can carry. */
function keyOf(grantId: string, id: unknown): string | null {
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  return `${grantId}/${createHash('sha256').update(JSON.stringify(id)).digest('base64url')}`;
}
