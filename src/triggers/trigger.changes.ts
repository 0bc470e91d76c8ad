import type { Trigger } from './trigger.entity.js';

/** What of a trigger can be changed; the environment by its name. */
export type TriggerSettings = Pick<Trigger, 'name' | 'filter' | 'inputs' | 'enabled'> & {
  environment: string;
};

/** Whether a change decides what is taken from events, which makes whoever changes it the author. */
export function changesAuthor(changed: readonly (keyof TriggerSettings)[]): boolean {
  return changed.includes('filter') || changed.includes('inputs');
}
