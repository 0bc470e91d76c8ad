import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import { type AlertEventType, asksFor, EVENT_TYPES } from '../alert.conditions.js';
import { AlertRulesRepository, type ListeningRule } from '../alert-rules.repository.js';
import type { AlertSighting, SightedData } from './alert-sighting.entity.js';
import { AlertSightingsRepository } from './alert-sightings.repository.js';

/** Wakes the judge. */
export const ALERT_SIGHTINGS = 'alert-sightings';

type AlertEvent = DispatchedEvent & { type: AlertEventType };

/** Notes each event for the rules that hear of it. Nothing is decided here: it is part of what dispatches all events. */
@Injectable()
export class AlertSightingsService implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly rules: AlertRulesRepository,
    private readonly sightings: AlertSightingsRepository,
    private readonly waker: Waker,
  ) {}

  onModuleInit(): void {
    this.consumers.register('alerts', (events) => this.note(events));
  }

  private async note(events: readonly DispatchedEvent[]): Promise<void> {
    const known = events.filter(isOfAlerts);
    if (known.length === 0) return;
    const workspaces = new Set(known.map(({ workspaceId }) => workspaceId));
    const rules = Map.groupBy(await this.rules.listening([...workspaces]), (rule) => rule.workspaceId);
    const noted = known.flatMap((event) => {
      const data = sighted(event);
      return (rules.get(event.workspaceId) ?? [])
        .filter((rule) => hears(rule, event, data))
        .map(({ id: ruleId }): AlertSighting => {
          return { ruleId, eventId: event.id, type: event.type, data, at: event.createdAt };
        });
    });
    if (noted.length === 0) return;
    await this.sightings.note(noted);
    this.waker.wake(ALERT_SIGHTINGS);
  }
}

function isOfAlerts(event: DispatchedEvent): event is AlertEvent {
  const { type, data } = event;
  return (EVENT_TYPES as readonly string[]).includes(type) && data.test !== true && data.trial !== true;
}

function hears(rule: ListeningRule, { type }: AlertEvent, { script }: SightedData): boolean {
  return (rule.scriptId === null || rule.scriptId === script?.id) && asksFor(rule, type);
}

/** Of the data of any of those events. */
function sighted({ data, environmentId }: DispatchedEvent): SightedData {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return {
    runId: text(data.runId),
    script: (data.script as SightedData['script']) ?? null,
    environmentId,
    durationMs: number(data.durationMs),
    error: text(data.error) ?? text(data.reason) ?? text(data.title) ?? tagsText(data.runsOn),
    name: text(data.name),
    scheduleId: text(data.scheduleId),
    count: number(data.count),
  };
}

/** Of a run that no worker can take. */
function tagsText(runsOn: unknown): string | null {
  return Array.isArray(runsOn) ? `No worker that is running carries ${runsOn.join(', ')}` : null;
}
