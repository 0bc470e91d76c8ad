import { isLaxer, type Loosening } from '../core/access/index.js';
import type { Environment } from './environment.entity.js';

export type EnvironmentSettings = Pick<
  Environment,
  'name' | 'approvalPolicy' | 'agentsAllowed' | 'runsOn' | 'isDefault'
>;

export type EnvironmentField = keyof EnvironmentSettings;

export const ENVIRONMENT_FIELDS: readonly EnvironmentField[] = [
  'name',
  'approvalPolicy',
  'agentsAllowed',
  'runsOn',
  'isDefault',
];

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
