import { type Caller, isInPerson } from '../core/access/caller.js';
import { isLaxer } from './approval-policy.js';
import type { Environment } from './environment.entity.js';

/** What of an environment can be changed. */
export type EnvironmentSettings = Pick<
  Environment,
  'name' | 'approvalPolicy' | 'agentsAllowed' | 'isDefault'
>;

export type EnvironmentField = keyof EnvironmentSettings;

const FIELDS: readonly EnvironmentField[] = ['name', 'approvalPolicy', 'agentsAllowed', 'isDefault'];

/** The settings after a patch, in which a field that is undefined is left as it is. */
export function patched(
  before: EnvironmentSettings,
  patch: Partial<EnvironmentSettings>,
): EnvironmentSettings {
  return {
    name: patch.name ?? before.name,
    approvalPolicy: patch.approvalPolicy ?? before.approvalPolicy,
    agentsAllowed: patch.agentsAllowed ?? before.agentsAllowed,
    isDefault: patch.isDefault ?? before.isDefault,
  };
}

export function changedFields(before: EnvironmentSettings, after: EnvironmentSettings): EnvironmentField[] {
  return FIELDS.filter((field) => before[field] !== after[field]);
}

/** Why this caller may not make the change, or null. API keys and agents cannot loosen the rules that bind them. */
export function looseningProblem(
  caller: Caller,
  before: EnvironmentSettings,
  after: EnvironmentSettings,
): string | null {
  if (isInPerson(caller)) return null;
  if (isLaxer(after.approvalPolicy, before.approvalPolicy)) {
    return 'Only an owner or admin in person may lower the approval policy of an environment, not an API key or an agent.';
  }
  if (after.agentsAllowed && !before.agentsAllowed) {
    return 'Only an owner or admin in person may let agents into an environment, not an API key or an agent.';
  }
  return null;
}
