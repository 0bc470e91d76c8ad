import type { ApprovalPolicy } from '../../core/access/index.js';

const POLICIES: Readonly<Record<ApprovalPolicy, string>> = {
  none: 'runs need no approval',
  agents: 'runs started by agents need approval',
  always: 'every run needs approval',
};

interface EnvironmentFields {
  name?: string | undefined;
  approvalPolicy?: ApprovalPolicy | undefined;
  agentsAllowed?: boolean | undefined;
  isDefault?: boolean | undefined;
}

/** What settings of an environment mean, in words. */
export function environmentFields(settings: Omit<EnvironmentFields, 'name'>): string {
  const { approvalPolicy, agentsAllowed, isDefault } = settings;
  const words: string[] = [];
  if (approvalPolicy !== undefined) words.push(POLICIES[approvalPolicy]);
  if (agentsAllowed !== undefined)
    words.push(agentsAllowed ? 'agents may run scripts there' : 'agents may not run scripts there');
  if (isDefault) words.push('it is the default');
  return words.join(', ');
}
