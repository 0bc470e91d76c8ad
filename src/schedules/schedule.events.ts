import { Injectable } from '@nestjs/common';

import { newId } from '../core/crypto/ids.js';
import { ScheduleEventsRepository } from './schedule-events.repository.js';

export interface MissedTimes {
  schedule: {
    id: string;
    workspaceId: string;
    environmentId: string;
    scriptId: string;
    scriptSlug: string;
    scriptName: string;
  };
  from: Date;
  to: Date;
  count: number;
}

export interface DisabledSchedule {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  reason: string;
}

/** Tells the rest of the world what happened to schedules, thousands in one statement. */
@Injectable()
export class ScheduleEvents {
  constructor(private readonly repository: ScheduleEventsRepository) {}

  missed(missed: readonly MissedTimes[]): Promise<void> {
    return this.repository.insert(
      missed.map(({ schedule, from, to, count }) => ({
        id: newId('event'),
        workspaceId: schedule.workspaceId,
        environmentId: schedule.environmentId,
        type: 'schedule.missed',
        data: {
          scheduleId: schedule.id,
          script: { id: schedule.scriptId, slug: schedule.scriptSlug, name: schedule.scriptName },
          from: from.toISOString(),
          to: to.toISOString(),
          count,
        },
      })),
    );
  }

  disabled(disabled: readonly DisabledSchedule[]): Promise<void> {
    return this.repository.insert(
      disabled.map(({ id, workspaceId, environmentId, name, reason }) => ({
        id: newId('event'),
        workspaceId,
        environmentId,
        type: 'schedule.disabled',
        data: { id, name, reason },
      })),
    );
  }
}
