import { fieldsThatDiffer } from '../automations/index.js';
import type { SchedulePatch } from './schedule.dto.js';
import type { Schedule } from './schedule.entity.js';

/** What of a schedule can be changed; the environment by its name. */
export type ScheduleSettings = Pick<Schedule, 'name' | 'cron' | 'timezone' | 'inputs' | 'enabled'> & {
  environment: string;
};

export type ScheduleField = keyof ScheduleSettings;

const FIELDS: readonly ScheduleField[] = ['name', 'environment', 'cron', 'timezone', 'inputs', 'enabled'];

export function patched(before: ScheduleSettings, patch: SchedulePatch): ScheduleSettings {
  return {
    name: patch.name ?? before.name,
    environment: patch.environment ?? before.environment,
    cron: patch.cron ?? before.cron,
    timezone: patch.timezone ?? before.timezone,
    inputs: patch.inputs ?? before.inputs,
    enabled: patch.enabled ?? before.enabled,
  };
}

export function changedFields(before: ScheduleSettings, after: ScheduleSettings): ScheduleField[] {
  return fieldsThatDiffer(FIELDS, before, after);
}
