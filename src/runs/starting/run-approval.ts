import { type Asker, inlineText, type NewApproval } from '../../approvals/index.js';
import type { RawJson } from '../../core/json/raw-json.js';
import type { RunStartInput } from '../actions/run-start.action.js';
import type { Hold } from './run.policy.js';

/** A run that is held, as far as the person who is asked about it needs to know. */
export interface HeldForApproval {
  id: string;
  approvalRequestId: string;
  workspaceId: string;
  environmentId: string;
  environment: string;
  script: { id: string; slug: string; name: string; ownerUserId: string | null };
  version: number;
  hosts: string[];
  inputs: RawJson;
  test: boolean;
  hold: Hold;
}

/** What is asked about a held run. */
export function approvalOf(run: HeldForApproval, asker: Asker): NewApproval {
  const { script, version, environment, inputs, hosts, test, hold } = run;
  const input: RunStartInput = { script: script.slug, version, environment, inputs, hosts, test };
  const what = `${test ? 'Test' : 'Run'} version ${version} of the script ${inlineText(script.name)} (${script.slug})`;
  return {
    id: run.approvalRequestId,
    workspaceId: run.workspaceId,
    environmentId: run.environmentId,
    action: 'run.start',
    summary: `${what} in ${inlineText(environment)} ${inputsInWords(inputs)}. ${hostsInWords(hosts)}`,
    input,
    reason: hold.reason,
    asker,
    runId: run.id,
    ...(hold.by === 'script' && { script: { id: script.id, ownerUserId: script.ownerUserId } }),
    askerLast: hold.by === 'test',
  };
}

const LONGEST = 2000;

function inputsInWords({ text }: RawJson): string {
  if (text === '{}') return 'without inputs';
  const cut =
    text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (the rest is in the request's input)`;
  return `with the inputs ${inlineText(cut)}`;
}

function hostsInWords(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'It reaches no host.' : `It may reach ${hosts.join(', ')}.`;
}
