import type { ScheduleDto } from './schedule.dto.js';
import type { ListedSchedule } from './schedules.repository.js';

export function presentSchedule(row: ListedSchedule): ScheduleDto {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    cron: row.cron,
    timezone: row.timezone,
    inputs: row.inputs,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdByUserId: row.createdByUserId,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    lastRunId: row.lastRunId,
  };
}
