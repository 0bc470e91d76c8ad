import type { NewEvent } from '../core/outbox/index.js';
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

/** A schedule was due while nothing could run it. */
export function missedEvent({ schedule, from, to, count }: MissedTimes): NewEvent {
  return {
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
  };
}
