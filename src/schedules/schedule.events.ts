import { Injectable } from '@nestjs/common';

import { Outbox } from '../core/outbox/index.js';
import type { Schedule } from './schedule.entity.js';

interface MissedTimes {
  schedule: Pick<Schedule, 'id' | 'workspaceId' | 'environmentId' | 'scriptId'> & {
    scriptSlug: string;
    scriptName: string;
  };
  from: Date;
  to: Date;
  count: number;
}

/** Writes the events of missed times, thousands in one statement. */
@Injectable()
export class ScheduleEventWriter {
  constructor(private readonly outbox: Outbox) {}

  missed(missed: readonly MissedTimes[]): Promise<void> {
    return this.outbox.addMany(
      missed.map(({ schedule, from, to, count }) => ({
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
}
