import { Injectable, Logger } from '@nestjs/common';

import { AutomationDisablingService, type RefusedAutomation } from '../../automations/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { type Span, Tracing } from '../../core/tracing/index.js';
import { type AutomatedRunOrder, AutomatedRunsService } from '../../runs/index.js';
import { type FiringPlan, FiringPlans } from '../cron/firing-plan.js';
import { missedEvent } from '../schedule.events.js';
import { SCHEDULE } from '../schedule.kind.js';
import { type Claim, type FiredSchedule, ScheduleFiringRepository } from './schedule-firing.repository.js';
import type { DueSchedule } from './schedule-firing.sql.js';

interface Firing {
  schedule: DueSchedule;
  runId: string;
  next: Date;
  missed: FiringPlan['missed'];
  /** Begins the run's trace; null where there is no tracing. */
  span: Span | null;
}

/** Starts the runs of schedules that are due. One transaction claims a batch, starts its runs and stores the next times. */
@Injectable()
export class ScheduleFiringService {
  private readonly logger = new Logger('Schedules');

  constructor(
    private readonly repository: ScheduleFiringRepository,
    private readonly runs: AutomatedRunsService,
    private readonly outbox: Outbox,
    private readonly disabling: AutomationDisablingService,
    private readonly database: Database,
    private readonly tracing: Tracing,
  ) {}

  /** Returns whether more may be due. */
  fire(claim: Claim): Promise<boolean> {
    return this.database.transaction(async () => {
      const due = await this.repository.claim(claim);
      if (due.length === 0) return false;
      const { firings, unreadable } = this.plan(due);
      const started = await this.runs.start(firings.map(orderOf));
      const refused = new Map(started.refused.map(({ id, reason }) => [id, reason]));
      const fired = firings.filter(({ runId }) => !refused.has(runId));
      if (fired.length > 0) await this.repository.advance(fired.map(advanceOf));
      this.database.afterCommit(() => fired.forEach(({ span }) => span?.end()));
      await this.outbox.addMany(
        fired.flatMap(({ schedule, missed }) => (missed ? missedEvent({ schedule, ...missed }) : [])),
      );
      const refusedSchedules = firings.flatMap(({ schedule: { id }, runId }) => {
        const reason = refused.get(runId);
        return reason === undefined ? [] : [{ id, reason }];
      });
      await this.disabling.disable(SCHEDULE, [...unreadable, ...refusedSchedules]);
      const { found } = due[0]!;
      return due.length < found || found === claim.count;
    });
  }

  private plan(due: readonly DueSchedule[]): { firings: Firing[]; unreadable: RefusedAutomation[] } {
    const plans = new FiringPlans(due[0]!.now);
    const firings: Firing[] = [];
    const unreadable: RefusedAutomation[] = [];
    for (const schedule of due) {
      const plan = this.planOf(plans, schedule);
      if (plan?.next) {
        const runId = newId('run');
        const span = this.spanOf(schedule, runId);
        firings.push({ schedule, runId, next: plan.next, missed: plan.missed, span });
      } else {
        const reason = 'its cron expression or time zone cannot be read any more';
        unreadable.push({ id: schedule.id, reason });
      }
    }
    return { firings, unreadable };
  }

  private spanOf({ id, workspaceId }: DueSchedule, runId: string): Span | null {
    return this.tracing.begin('schedule', {
      parent: null,
      facts: {
        'gatehouse.schedule.id': id,
        'gatehouse.workspace.id': workspaceId,
        'gatehouse.run.id': runId,
      },
    });
  }

  /** null: this version of the platform cannot read what an earlier one could. */
  private planOf(plans: FiringPlans, schedule: DueSchedule): FiringPlan | null {
    try {
      return plans.of(schedule);
    } catch (error) {
      this.logger.error(`The schedule ${schedule.id} cannot be read: ${String(error)}`);
      return null;
    }
  }
}

function orderOf({ schedule, runId: id, span }: Firing): AutomatedRunOrder {
  const origin = { interface: 'schedule', scheduleId: schedule.id } as const;
  return { ...schedule, id, problem: null, traceparent: span?.traceparent ?? null, origin };
}

function advanceOf({ schedule: { id }, next, runId }: Firing): FiredSchedule {
  return { id, next, runId };
}
