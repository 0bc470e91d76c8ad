import type { HostRule } from '../../../libs/egress/index.js';
import { type Asker, type NewApproval } from '../../approvals/index.js';
import { inlineText } from '../../notifications/index.js';
import type { RawJson } from '../../core/json/index.js';
import type { RunStartInput } from '../run.actions.js';
import { isTrial } from '../run.version.js';
import type { Hold } from './run.policy.js';

/** A run that is held, as far as the person who is asked about it needs to know. */
export interface HeldForApproval {
  id: string;
  approvalRequestId: string;
  workspaceId: string;
  environmentId: string;
  environment: string;
  script: { id: string; slug: string; name: string; ownerUserId: string | null };
  versionId: string;
  version: number;
  hosts: string[];
  hostRules: HostRule[];
  inputs: RawJson;
  test: boolean;
  hold: Hold;
}

export function approvalOf(run: HeldForApproval, asker: Asker): NewApproval {
  const { script, version, environment, inputs, hosts, hostRules, test, hold } = run;
  const rules = hostRules.length > 0 && { hostRules };
  const trial = isTrial(run) && { trial: run.versionId };
  const input: RunStartInput = {
    ...{ script: script.slug, version, ...trial },
    ...{ environment, inputs, hosts, ...rules, test },
  };
  const which = isTrial(run) ? 'a trial' : `version ${version}`;
  const what = `${test ? 'Test' : 'Run'} ${which} of the script ${inlineText(script.name)} (${script.slug})`;
  return {
    id: run.approvalRequestId,
    workspaceId: run.workspaceId,
    environmentId: run.environmentId,
    action: 'run.start',
    summary: `${what} in ${inlineText(environment)} ${inputsInWords(inputs)}. ${hostsInWords(hosts, hostRules)}`,
    input,
    reason: hold.reason,
    asker,
    runId: run.id,
    ...(hold.by === 'script' && { script: { id: script.id, ownerUserId: script.ownerUserId } }),
    askerLast: hold.by === 'test',
  };
}

const LONGEST = 2000;
const LONGEST_RULES = 300;

function inputsInWords({ text }: RawJson): string {
  if (text === '{}') return 'without inputs';
  return `with the inputs ${inlineText(cut(text, LONGEST))}`;
}

function hostsInWords(hosts: readonly string[], rules: readonly HostRule[]): string {
  if (hosts.length === 0) return 'It reaches no host.';
  return `It may reach ${hosts.map((host) => hostInWords(host, rules)).join(', ')}.`;
}

/** `api.example.com (only GET or HEAD to /v1/*)`. */
function hostInWords(host: string, rules: readonly HostRule[]): string {
  const own = rules.filter((rule) => rule.host === host).map(ruleInWords);
  return own.length === 0 ? host : `${host} (only ${cut(own.join(', or '), LONGEST_RULES)})`;
}

function ruleInWords({ methods, paths }: HostRule): string {
  return [methods?.join(' or ') ?? [], paths ? `to ${paths.join(' or ')}` : []].flat().join(' ');
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (the rest is in the request's input)`;
}
