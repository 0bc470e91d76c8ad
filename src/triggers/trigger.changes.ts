import { fieldsThatDiffer } from '../automations/automation.changes.js';
import type { TriggerPatch } from './trigger.dto.js';

/** What of a trigger can be changed. */
export interface TriggerSettings {
  name: string;
  environment: string;
  filter: Record<string, unknown>;
  inputs: Record<string, unknown>;
  enabled: boolean;
}

export type TriggerField = keyof TriggerSettings;

const FIELDS: readonly TriggerField[] = ['name', 'environment', 'filter', 'inputs', 'enabled'];

export function patched(before: TriggerSettings, patch: TriggerPatch): TriggerSettings {
  return {
    name: patch.name ?? before.name,
    environment: patch.environment ?? before.environment,
    filter: patch.filter ?? before.filter,
    inputs: patch.inputs ?? before.inputs,
    enabled: patch.enabled ?? before.enabled,
  };
}

export function changedFields(before: TriggerSettings, after: TriggerSettings): TriggerField[] {
  return fieldsThatDiffer(FIELDS, before, after);
}

/** Whether a change says anew what is taken from events, so that who makes it must be allowed to know of them. */
export function takesAnew(changed: readonly TriggerField[]): boolean {
  return changed.includes('filter') || changed.includes('inputs');
}
