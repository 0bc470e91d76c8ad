import type { ApprovalPolicy, CallerKind } from '../core/access/caller.js';

const STRENGTH: readonly ApprovalPolicy[] = ['none', 'agents', 'always'];

/** The script's and the environment's policies both apply: the stricter one wins. */
export function stricterPolicy(one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy {
  return STRENGTH.indexOf(one) >= STRENGTH.indexOf(other) ? one : other;
}

export interface RunCircumstances {
  scriptPolicy: ApprovalPolicy;
  environmentPolicy: ApprovalPolicy;
  byAgent: boolean;
  /** A test run of a version that was never published where publishing needs a second person. */
  unseenTest: boolean;
}

/** Why a person must say yes first, or null. The one place where this is decided, however the run was started. */
export function holdReason({
  scriptPolicy,
  environmentPolicy,
  byAgent,
  unseenTest,
}: RunCircumstances): string | null {
  if (unseenTest) return 'A test of a version that nobody has approved for publishing needs approval.';
  const policy = stricterPolicy(scriptPolicy, environmentPolicy);
  if (policy === 'none' || (policy === 'agents' && !byAgent)) return null;
  const whose = scriptPolicy === policy ? 'script' : 'environment';
  return `The approval policy of the ${whose} is \`${policy}\`: a person has to approve ${policy === 'agents' ? "agents' runs" : 'every run'}.`;
}

/** How a run says by which kind of credential it was started. */
export const CREDENTIAL_TYPES: Readonly<Record<CallerKind, string | null>> = {
  session: null,
  personal_token: 'pat',
  api_key: 'api_key',
  agent: 'oauth',
};
