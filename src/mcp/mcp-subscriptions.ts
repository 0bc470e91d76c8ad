import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';

import { OFFERS_TOPIC } from '../core/access/offers-topic.js';
import { Notifications } from '../core/database/notifications.js';

/** A change of several things is told once. */
const TOGETHER_MS = 200;

type Listener = (event: ServerEvent) => void;

/** Tells clients that the list of tools has changed, whichever process has changed it. */
@Injectable()
export class McpSubscriptions implements OnModuleInit {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly due = new Set<string>();

  constructor(private readonly notifications: Notifications) {}

  onModuleInit(): void {
    this.notifications.onAny(OFFERS_TOPIC, (workspaceId) => this.tellSoon(workspaceId));
    this.notifications.onGap(() => {
      for (const workspaceId of this.listeners.keys()) this.tellSoon(workspaceId);
    });
  }

  /** Where the SDK finds what has changed in a workspace. Nobody publishes there: changes come from the database alone. */
  busOf(workspaceId: string): ServerEventBus {
    return { subscribe: (listener) => this.subscribe(workspaceId, listener), publish: () => undefined };
  }

  private subscribe(workspaceId: string, listener: Listener): () => void {
    const listeners = this.listeners.get(workspaceId) ?? new Set();
    this.listeners.set(workspaceId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(workspaceId) === listeners) {
        this.listeners.delete(workspaceId);
      }
    };
  }

  private tellSoon(workspaceId: string): void {
    if (!this.listeners.has(workspaceId) || this.due.has(workspaceId)) return;
    this.due.add(workspaceId);
    setTimeout(() => {
      this.due.delete(workspaceId);
      for (const listener of this.listeners.get(workspaceId) ?? []) listener({ kind: 'tools_list_changed' });
    }, TOGETHER_MS).unref();
  }
}
