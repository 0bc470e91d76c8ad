import type { ActingEnvironment, ApprovalPolicy } from './caller.js';

/** From the laxest to the strictest. */
export const APPROVAL_POLICIES: readonly ApprovalPolicy[] = ['none', 'agents', 'always'];

export function isLaxer(policy: ApprovalPolicy, than: ApprovalPolicy): boolean {
  return APPROVAL_POLICIES.indexOf(policy) < APPROVAL_POLICIES.indexOf(than);
}

/** What an environment asks of the runs in it. */
export type EnvironmentRule = Pick<ActingEnvironment, 'approvalPolicy' | 'agentsAllowed'>;

/** Whether something is held or refused under the other rule that would not be under this one. */
export function isWeaker(rule: EnvironmentRule, than: EnvironmentRule): boolean {
  return isLaxer(rule.approvalPolicy, than.approvalPolicy) || (rule.agentsAllowed && !than.agentsAllowed);
}
