import type { ApprovalPolicy } from '../core/access/caller.js';

/** From the laxest to the strictest. */
export const APPROVAL_POLICIES: readonly ApprovalPolicy[] = ['none', 'agents', 'always'];

export function isLaxer(policy: ApprovalPolicy, than: ApprovalPolicy): boolean {
  return APPROVAL_POLICIES.indexOf(policy) < APPROVAL_POLICIES.indexOf(than);
}
