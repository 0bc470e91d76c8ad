import { fieldsThatDiffer } from '../automations/index.js';
import type { TriggerPatch } from './trigger.dto.js';
import type { Trigger } from './trigger.entity.js';

/** What of a trigger can be changed; the environment by its name. */
export type TriggerSettings = Pick<Trigger, 'name' | 'filter' | 'inputs' | 'enabled'> & {
  environment: string;
};

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

/** Whether a change decides what is taken from events, which makes whoever changes it the author. */
export function changesAuthor(changed: readonly TriggerField[]): boolean {
  return changed.includes('filter') || changed.includes('inputs');
}
