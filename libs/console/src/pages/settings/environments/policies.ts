import type { Environment } from '@gatehouse/client/operations';

export type ApprovalPolicy = Environment['approvalPolicy'];

export const POLICIES: readonly ApprovalPolicy[] = ['none', 'agents', 'always'];

export const POLICY_LABELS: Record<ApprovalPolicy, string> = {
  none: 'No run waits for approval',
  agents: 'Runs that agents start wait for approval',
  always: 'Every run waits for approval',
};

export const POLICY_MEANINGS: Record<ApprovalPolicy, string> = {
  none: 'A run starts as soon as it is asked for, unless its script has a stricter rule.',
  agents: 'What a person starts begins at once. What an agent starts is held until a person approves it.',
  always: 'Whoever starts a run here, a person approves it before anything happens.',
};

export const AGENTS_ALLOWED = 'Agents may run and schedule scripts here';
export const AGENTS_REFUSED = 'Agents may not run or schedule scripts here';
