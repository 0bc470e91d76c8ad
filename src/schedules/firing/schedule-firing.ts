import { Injectable, Logger } from '@nestjs/common';

import { SCHEDULE } from '../../automations/automation.kinds.js';
import { AutomationSwitch } from '../../automations/automation-switch.js';
import { newId } from '../../core/crypto/ids.js';
import { Database } from '../../core/database/database.js';
import { type AutomatedRunOrder, AutomatedRunsService } from '../../runs/index.js';
import { type FiringPlan, FiringPlans } from '../cron/firing-plan.js';
import { ScheduleEvents } from '../schedule.events.js';
import { type Claim, type DueSchedule, ScheduleFiringRepository } from './schedule-firing.repository.js';

interface Firing {
  schedule: DueSchedule;
  runId: string;
  next: Date;
  missed: FiringPlan['missed'];
}

/** Starts the runs of schedules that are due: a batch is claimed, started and sent on its way in one transaction. */
@Injectable()
export class ScheduleFiring {
  private readonly logger = new Logger('Schedules');

  constructor(
    private readonly repository: ScheduleFiringRepository,
    private readonly runs: AutomatedRunsService,
    private readonly events: ScheduleEvents,
    private readonly automations: AutomationSwitch,
    private readonly database: Database,
  ) {}

  /** Returns how many were due, of those that no other process has; with as many as asked for there may be more. */
  fire(claim: Claim): Promise<number> {
    return this.database.transaction(async () => {
      const due = await this.repository.claim(claim);
      if (due.length === 0) return 0;
      const { firings, unreadable } = this.plan(due);
      const refused = new Map(
        (await this.runs.start(firings.map(orderOf))).map(({ id, reason }) => [id, reason]),
      );
      const fired = firings.filter(({ runId }) => !refused.has(runId));
      if (fired.length > 0) await this.repository.advance(fired.map(advanceOf));
      await this.events.missed(
        fired.flatMap(({ schedule, missed }) => (missed ? [{ schedule, ...missed }] : [])),
      );
      await this.automations.switchOff(SCHEDULE, [
        ...unreadable.map(({ id }) => ({
          id,
          reason: 'its cron expression or time zone cannot be read any more',
        })),
        ...firings.flatMap(({ schedule: { id }, runId }) => {
          const reason = refused.get(runId);
          return reason === undefined ? [] : [{ id, reason }];
        }),
      ]);
      return due.length;
    });
  }

  private plan(due: readonly DueSchedule[]): { firings: Firing[]; unreadable: DueSchedule[] } {
    const plans = new FiringPlans(due[0]!.now);
    const firings: Firing[] = [];
    const unreadable: DueSchedule[] = [];
    for (const schedule of due) {
      const plan = this.planOf(plans, schedule);
      if (plan?.next) firings.push({ schedule, runId: newId('run'), next: plan.next, missed: plan.missed });
      else unreadable.push(schedule);
    }
    return { firings, unreadable };
  }

  /** null: what was read when it was made is not known to this version of the platform. */
  private planOf(plans: FiringPlans, schedule: DueSchedule): FiringPlan | null {
    try {
      return plans.of(schedule);
    } catch (error) {
      this.logger.error(`The schedule ${schedule.id} cannot be read: ${String(error)}`);
      return null;
    }
  }
}

function orderOf({ schedule, runId }: Firing): AutomatedRunOrder {
  const { workspaceId, environmentId, scriptId, createdByUserId, byAgent, inputs } = schedule;
  return {
    id: runId,
    workspaceId,
    environmentId,
    scriptId,
    createdByUserId,
    byAgent,
    inputs,
    problem: null,
    origin: { interface: 'schedule', scheduleId: schedule.id },
  };
}

function advanceOf({ schedule: { id }, next, runId }: Firing): { id: string; next: Date; runId: string } {
  return { id, next, runId };
}
