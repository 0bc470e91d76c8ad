import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Bulkhead, Loop } from '../../core/work/index.js';
import { AlertRulesRepository } from '../alert-rules.repository.js';
import { AlertQueue } from '../sending/alert-queue.js';
import { AlertSightingsRepository } from './alert-sightings.repository.js';
import { overdueEvent } from './judge.js';

const LOOK_EVERY_MS = 2_000;
const RULES = 50;

/** Tells once where a success does not come in time. The moment is in the rule, so that it passes also while nothing runs. */
@Injectable()
export class OverdueSuccessWatcher {
  private readonly bulkhead = new Bulkhead('rule of an alert');

  constructor(
    private readonly rules: AlertRulesRepository,
    private readonly sightings: AlertSightingsRepository,
    private readonly queue: AlertQueue,
    private readonly database: Database,
  ) {}

  @Loop({ every: LOOK_EVERY_MS })
  async pass(): Promise<boolean> {
    const ids = await this.rules.overdue(RULES, this.bulkhead.waiting);
    await this.bulkhead.each(ids, (id) => this.database.transaction(() => this.check(id)));
    return ids.length === RULES;
  }

  private async check(id: string): Promise<void> {
    const rule = await this.rules.take(id);
    const now = new Date();
    if (!rule?.deadlineAt || rule.deadlineAt > now) return;
    const { scriptId, scheduleId, notSucceededFor: seconds } = rule;
    // Its event may be under way still.
    const success = await this.sightings.lastSuccess({ scriptId: scriptId!, scheduleId });
    const lastSuccessAt = success && success > rule.lastSuccessAt ? success : rule.lastSuccessAt;
    const deadlineAt = new Date(lastSuccessAt.getTime() + seconds! * 1000);
    if (deadlineAt > now) return this.rules.note(id, { lastSuccessAt, deadlineAt });
    const script = (await this.rules.scripts([scriptId!])).get(scriptId!);
    const named = script ? { slug: script.slug, name: script.name } : null;
    const event = overdueEvent(scriptId!, named, seconds!, now);
    await this.queue.add(rule, [event]);
    await this.rules.note(id, { lastSuccessAt, deadlineAt: null });
  }
}
