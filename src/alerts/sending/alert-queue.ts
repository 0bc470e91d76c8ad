import { Injectable } from '@nestjs/common';

import { newId } from '../../core/crypto/index.js';
import { Waker } from '../../core/work/index.js';
import { type AlertedEvent, NotificationChannels } from '../../notifications/index.js';
import type { AlertRule } from '../alert-rule.entity.js';
import { AlertMessagesRepository } from './alert-messages.repository.js';
import { quietUntil } from './quiet-hours.js';

/** Wakes the sender. */
export const ALERTS = 'alerts';

const MOST_EVENTS = 10;

/** An event, and the incidents of its rule that it opens or closes. */
export interface ToldEvent {
  event: AlertedEvent;
  incidents: readonly string[];
}

/** Gathers what happens into the next message of its rule, or of each incident where the channel knows incidents. */
@Injectable()
export class AlertQueue {
  constructor(
    private readonly messages: AlertMessagesRepository,
    private readonly channels: NotificationChannels,
    private readonly waker: Waker,
  ) {}

  /** To be called in a transaction that has locked the rule. */
  async add(rule: AlertRule, told: readonly ToldEvent[]): Promise<void> {
    if (this.channels.find(rule.channel)?.alertsByIncident !== true) {
      return this.gather(
        rule,
        '',
        told.map(({ event }) => event),
      );
    }
    const incidents = Map.groupBy(
      told.flatMap(({ event, incidents }) => incidents.map((incident) => ({ incident, event }))),
      ({ incident }) => incident,
    );
    for (const [incident, its] of incidents) {
      await this.gather(
        rule,
        incident,
        its.map(({ event }) => event),
      );
    }
  }

  private async gather(rule: AlertRule, incident: string, events: readonly AlertedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const open = await this.messages.open(rule.id, incident);
    const conditions = { ...open?.conditions };
    for (const { condition } of events) conditions[condition] = (conditions[condition] ?? 0) + 1;
    const all = {
      count: (open?.count ?? 0) + events.length,
      conditions,
      events: keptEvents(incident, [...(open?.events ?? []), ...events]),
      runId: newestRun(events) ?? open?.runId ?? null,
    };
    if (open) return this.messages.update(open.id, all);
    const { id: ruleId, workspaceId, nextMessageAt, quietHours } = rule;
    // The window of an incident is looked at when its message is claimed.
    const earliest = new Date(incident === '' ? Math.max(Date.now(), nextMessageAt.getTime()) : Date.now());
    const dueAt = quietUntil(earliest, quietHours);
    await this.messages.insert({
      id: newId('alertMessage'),
      workspaceId,
      ruleId,
      incident,
      test: false,
      dueAt,
      ...all,
    });
    this.waker.wake(ALERTS);
  }

  /** Sent at once, whatever the time and the window. */
  async addTest({ id: ruleId, workspaceId }: Pick<AlertRule, 'id' | 'workspaceId'>): Promise<string> {
    const id = newId('alertMessage');
    const nothing = { incident: '', count: 0, conditions: {}, events: [], runId: null };
    await this.messages.insert({ id, workspaceId, ruleId, test: true, dueAt: new Date(), ...nothing });
    this.waker.wake(ALERTS);
    return id;
  }
}

/** The first ten. Of an incident the last one is among them, since it says what the incident has come to. */
function keptEvents(incident: string, events: readonly AlertedEvent[]): AlertedEvent[] {
  if (incident === '' || events.length <= MOST_EVENTS) return events.slice(0, MOST_EVENTS);
  return [...events.slice(0, MOST_EVENTS - 1), events.at(-1)!];
}

/** The newest that did not end well. */
function newestRun(events: readonly AlertedEvent[]): string | null {
  return (
    events.findLast(({ condition, runId }) => runId !== null && condition !== 'recovered')?.runId ?? null
  );
}
