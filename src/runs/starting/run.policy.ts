import { cutText } from '../../../libs/cut-text/index.js';
import { type ApprovalPolicy, type CallerKind, isLaxer } from '../../core/access/index.js';
import { inlineText } from '../../notifications/index.js';
import type { AskRule } from '../../scripts/index.js';
import type { Run } from '../run.entity.js';

/** The script's and the environment's policies both apply: the stricter one wins. */
export function stricterPolicy(one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy {
  return isLaxer(one, other) ? other : one;
}

export interface RunCircumstances {
  scriptPolicy: ApprovalPolicy;
  environmentPolicy: ApprovalPolicy;
  byAgent: boolean;
  /** It is started in a conversation with an agent that always asks. */
  agentAsks: boolean;
  /** The script's rule that its inputs match, or null. */
  asked: AskRule | null;
  /** A test run of a version that was never published where publishing needs a second person. */
  unseenTest: boolean;
}

export interface Hold {
  reason: string;
  /**
   * What holds it decides who lets it go. `environment`: an owner or admin. `test`: one who did not ask for it. The
   * `script`'s policy or one for agents: the script's owner as well.
   */
  by: 'environment' | 'test' | 'script';
}

/** Why a person must say yes first, or null. The one place where this is decided, however the run was started. */
export function holdOf({
  scriptPolicy,
  environmentPolicy,
  byAgent,
  agentAsks,
  asked,
  unseenTest,
}: RunCircumstances): Hold | null {
  if (unseenTest) {
    return {
      by: 'test',
      reason: 'A test of a version that nobody has approved for publishing needs approval.',
    };
  }
  const policy = stricterPolicy(scriptPolicy, environmentPolicy);
  if (policy === 'none' || (policy === 'agents' && !byAgent)) return ownHold(agentAsks, asked);
  const by = environmentPolicy === 'always' ? 'environment' : 'script';
  const whose = by === 'script' && scriptPolicy === policy ? 'script' : 'environment';
  const what = policy === 'agents' ? "agents' runs" : 'every run';
  return {
    by,
    reason: `The approval policy of the ${whose} is \`${policy}\`: a person has to approve ${what}.`,
  };
}

/** Where no policy holds it: the agent, or the script because of the inputs. */
function ownHold(agentAsks: boolean, asked: AskRule | null): Hold | null {
  if (agentAsks) {
    return {
      by: 'script',
      reason: 'This agent always asks: a person has to approve every run that it starts.',
    };
  }
  if (asked === null) return null;
  const { title } = asked.when;
  const condition =
    typeof title === 'string' && title.trim() !== '' ? `: ${inlineText(cutText(title, 200))}` : '';
  const whose = asked.who === 'agents' ? "an agent's run" : 'a run';
  return {
    by: 'script',
    reason: `The script asks for approval of ${whose} whose inputs match its condition (\`ask\`)${condition}.`,
  };
}

/** How a run says by which kind of credential it was started. */
export const CREDENTIAL_TYPES: Readonly<Record<CallerKind, Run['credentialType']>> = {
  session: null,
  personal_token: 'pat',
  api_key: 'api_key',
  agent: 'oauth',
};
