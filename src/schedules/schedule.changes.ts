import type { CallerKind } from '../core/access/caller.js';
import type { SchedulePatch } from './schedule.dto.js';

/** What of a schedule can be changed. */
export interface ScheduleSettings {
  name: string;
  cron: string;
  timezone: string;
  inputs: Record<string, unknown>;
  enabled: boolean;
  environment: string;
}

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
  return FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/**
 * Whether a schedule counts as an agent's after a change. One who changes in person what it does answers for it; a new
 * name says nothing about what it does, and an API key is nobody.
 */
export function isAgentsAfter(
  byAgent: boolean,
  changer: CallerKind,
  changed: readonly ScheduleField[],
): boolean {
  if (changed.length === 0) return byAgent;
  if (changer === 'agent') return true;
  if (changer === 'api_key') return byAgent;
  return byAgent && changed.every((field) => field === 'name');
}
