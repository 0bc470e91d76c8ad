import { Injectable, type OnModuleInit } from '@nestjs/common';

import { OFFERS_TOPIC } from '../core/access/index.js';
import { Notifications } from '../core/database/index.js';
import type { GatehouseResponse } from '../core/http/index.js';
import { Loop } from '../core/work/index.js';
import type { ListenFrames } from './listen-frames.js';

/** Changes of several things at once are told once. */
const TOGETHER_MS = 200;
/** Proxies and clients give up on a connection from which nothing comes. */
const KEEP_ALIVE_MS = 15_000;
/** A client that does not read is let go, rather than kept waiting for in memory. */
const MOST_UNREAD_BYTES = 65_536;
/** How long a client that does not read may keep an ended response open. */
const GRACE_MS = 1_000;

interface Subscription {
  reply: GatehouseResponse;
  changed: string;
}

/**
 * Tells clients that the list of tools has changed, whichever process has changed it. The responses are written here, as
 * text that the SDK has made: one of its own streams would take three times the memory.
 */
@Injectable()
export class McpSubscriptions implements OnModuleInit {
  private readonly subscriptions = new Map<string, Set<Subscription>>();
  private readonly due = new Set<string>();

  constructor(private readonly notifications: Notifications) {}

  onModuleInit(): void {
    this.notifications.onAny(OFFERS_TOPIC, (workspaceId) => this.tellSoon(workspaceId));
    this.notifications.onGap(() => {
      for (const workspaceId of this.subscriptions.keys()) this.tellSoon(workspaceId);
    });
  }

  /** Responds with a stream that goes on until one of `ends` is aborted or the client has gone, perhaps already. */
  open(
    workspaceId: string,
    reply: GatehouseResponse,
    { acknowledged, changed, ended }: ListenFrames,
    ends: readonly AbortSignal[],
  ): void {
    if (reply.closed) return;
    const subscription = { reply, changed };
    const others = this.subscriptions.get(workspaceId) ?? new Set();
    this.subscriptions.set(workspaceId, others.add(subscription));
    const end = (): void => {
      reply.end(ended);
      setTimeout(() => reply.destroy(), GRACE_MS).unref();
    };
    reply.once('close', () => {
      others.delete(subscription);
      if (others.size === 0 && this.subscriptions.get(workspaceId) === others) {
        this.subscriptions.delete(workspaceId);
      }
      for (const signal of ends) signal.removeEventListener('abort', end);
    });
    reply.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.write(acknowledged);
    for (const signal of ends) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    }
  }

  @Loop({ every: KEEP_ALIVE_MS })
  async keepAlive(): Promise<void> {
    for (const subscriptions of this.subscriptions.values()) {
      for (const { reply } of subscriptions) write(reply, ': keep-alive\n\n');
    }
  }

  private tellSoon(workspaceId: string): void {
    if (!this.subscriptions.has(workspaceId) || this.due.has(workspaceId)) return;
    this.due.add(workspaceId);
    setTimeout(() => {
      this.due.delete(workspaceId);
      for (const { reply, changed } of this.subscriptions.get(workspaceId) ?? []) write(reply, changed);
    }, TOGETHER_MS).unref();
  }
}

function write(reply: GatehouseResponse, text: string): void {
  if (reply.writableLength > MOST_UNREAD_BYTES) reply.destroy();
  else if (!reply.writableEnded) reply.write(text);
}
