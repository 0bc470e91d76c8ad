import { Injectable } from '@nestjs/common';

import { newId } from '../../core/crypto/index.js';
import { Waker } from '../../core/work/index.js';
import type { AlertedEvent } from '../../notifications/index.js';
import type { AlertRule } from '../alert-rule.entity.js';
import { AlertMessagesRepository } from './alert-messages.repository.js';
import { quietUntil } from './quiet-hours.js';

/** Wakes the sender. */
export const ALERTS = 'alerts';

const MOST_EVENTS = 10;

/** Gathers what happens into the next message of its rule. */
@Injectable()
export class AlertQueue {
  constructor(
    private readonly messages: AlertMessagesRepository,
    private readonly waker: Waker,
  ) {}

  /** To be called in a transaction that has locked the rule. */
  async add(rule: AlertRule, events: readonly AlertedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const open = await this.messages.open(rule.id);
    const conditions = { ...open?.conditions };
    for (const { condition } of events) conditions[condition] = (conditions[condition] ?? 0) + 1;
    const all = {
      count: (open?.count ?? 0) + events.length,
      conditions,
      events: [...(open?.events ?? []), ...events].slice(0, MOST_EVENTS),
      runId: newestRun(events) ?? open?.runId ?? null,
    };
    if (open) return this.messages.update(open.id, all);
    const { id: ruleId, workspaceId, nextMessageAt, quietHours } = rule;
    const earliest = new Date(Math.max(Date.now(), nextMessageAt.getTime()));
    const dueAt = quietUntil(earliest, quietHours);
    await this.messages.insert({
      id: newId('alertMessage'),
      workspaceId,
      ruleId,
      test: false,
      dueAt,
      ...all,
    });
    this.waker.wake(ALERTS);
  }

  /** Sent at once, whatever the time and the window. */
  async addTest({ id: ruleId, workspaceId }: Pick<AlertRule, 'id' | 'workspaceId'>): Promise<string> {
    const id = newId('alertMessage');
    const nothing = { count: 0, conditions: {}, events: [], runId: null };
    await this.messages.insert({ id, workspaceId, ruleId, test: true, dueAt: new Date(), ...nothing });
    this.waker.wake(ALERTS);
    return id;
  }
}

/** The newest that did not end well. */
function newestRun(events: readonly AlertedEvent[]): string | null {
  return (
    events.findLast(({ condition, runId }) => runId !== null && condition !== 'recovered')?.runId ?? null
  );
}
