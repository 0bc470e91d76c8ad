import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Loop } from '../../core/work/index.js';
import type { AlertRule } from '../alert-rule.entity.js';
import { AlertRulesRepository } from '../alert-rules.repository.js';
import { AlertQueue, type ToldEvent } from '../sending/alert-queue.js';
import type { AlertSighting } from './alert-sighting.entity.js';
import { AlertSightingsRepository } from './alert-sightings.repository.js';
import { ALERT_SIGHTINGS } from './alert-sightings.service.js';
import { judge, runStateKey } from './judge.js';
import type { AlertState } from './alert-state.entity.js';

const LOOK_EVERY_MS = 2_000;
const SIGHTINGS = 200;

/**
 * Holds what happened against each rule, in the order in which it happened: the rule is locked meanwhile, so that one process at
 * a time does it. One transaction deletes the sightings and adds to the message.
 */
@Injectable()
export class AlertJudgingService {
  constructor(
    private readonly rules: AlertRulesRepository,
    private readonly sightings: AlertSightingsRepository,
    private readonly queue: AlertQueue,
    private readonly database: Database,
  ) {}

  @Loop({ every: LOOK_EVERY_MS, wake: ALERT_SIGHTINGS, apart: 50 })
  pass(): Promise<boolean> {
    return this.sightings.workOff(SIGHTINGS, (id, read) =>
      this.database.transaction(() => this.judgeNext(id, read)),
    );
  }

  private async judgeNext(ruleId: string, read: () => Promise<AlertSighting[]>): Promise<number> {
    const rule = await this.rules.take(ruleId);
    if (!rule) return 0;
    const all = await read();
    const ofIt = rule.enabled ? await this.ofSchedule(rule, all) : [];
    await this.queue.add(rule, await this.judged(rule, ofIt));
    await this.sightings.take(ruleId, all);
    return all.length;
  }

  /** A rule of a schedule hears of all runs of its script. */
  private async ofSchedule({ scheduleId }: AlertRule, all: AlertSighting[]): Promise<AlertSighting[]> {
    if (scheduleId === null) return all;
    const runs = await this.sightings.startedBy(scheduleId, all);
    return all.filter(({ data }) =>
      data.runId === null ? data.scheduleId === scheduleId : runs.has(data.runId),
    );
  }

  private async judged(rule: AlertRule, sightings: readonly AlertSighting[]): Promise<ToldEvent[]> {
    const scriptIds = new Set(sightings.flatMap(({ data }) => data.script?.id ?? []));
    const states = await this.sightings.statesOf(rule.id, [...scriptIds]);
    const usual = await this.usualOf(rule, scriptIds);
    const changed = new Map<string, AlertState>();
    const events: ToldEvent[] = [];
    const current = { ...rule };
    for (const sighting of sightings) {
      const scriptId = sighting.data.script?.id ?? '';
      const environmentId = sighting.data.environmentId ?? '';
      const key = runStateKey({ scriptId, environmentId });
      const result = judge(current, sighting, states.get(key) ?? null, usual.get(scriptId) ?? null);
      events.push(...result.events);
      if (result.state) {
        states.set(key, result.state);
        changed.set(key, { ruleId: rule.id, scriptId, environmentId, ...result.state });
      }
      const { succeededAt } = result;
      if (succeededAt && succeededAt > current.lastSuccessAt) {
        current.lastSuccessAt = succeededAt;
        current.deadlineAt = new Date(succeededAt.getTime() + rule.notSucceededFor! * 1000);
      }
    }
    await this.sightings.keepStates([...changed.values()]);
    const { lastSuccessAt, deadlineAt } = current;
    if (lastSuccessAt > rule.lastSuccessAt) await this.rules.note(rule.id, { lastSuccessAt, deadlineAt });
    return events;
  }

  private async usualOf(
    { slow }: AlertRule,
    scriptIds: Iterable<string>,
  ): Promise<Map<string, number | null>> {
    const usual = new Map<string, number | null>();
    if (slow?.factor == null) return usual;
    for (const id of scriptIds) usual.set(id, await this.sightings.usualMs(id));
    return usual;
  }
}
