import { isLaxer } from '../core/access/approval-policy.js';
import type { Loosening } from '../core/access/may-loosen.js';
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

/**
 * What of a change puts somebody's runs under a weaker rule. Another default and another name may always: requests that name
 * no environment, or this one, are judged by another rule from then on.
 */
export function loosened(before: EnvironmentSettings, after: EnvironmentSettings): Loosening[] {
  return [
    ...(isLaxer(after.approvalPolicy, before.approvalPolicy)
      ? (['environment.approval_policy'] as const)
      : []),
    ...(after.agentsAllowed && !before.agentsAllowed ? (['environment.agents_allowed'] as const) : []),
    ...(after.isDefault && !before.isDefault ? (['environment.default'] as const) : []),
    ...(after.name !== before.name ? (['environment.name'] as const) : []),
  ];
}
