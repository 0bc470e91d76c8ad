import { cutText } from '../../../libs/cut-text/index.js';
import {
  ASKED,
  type HostRule,
  type PlannedResponse,
  plannedWords,
  SPOKEN,
  visible,
} from '../../../libs/egress/index.js';
import { type Asker, type NewApproval } from '../../approvals/index.js';
import type { Labels, Retry } from '../../scripts/index.js';
import type { SecretUse } from '../../secrets/index.js';
import { inlineText, nameText } from '../../notifications/index.js';
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
  secrets: Record<string, SecretUse>;
  inputs: RawJson;
  test: boolean;
  plan: boolean;
  /** As the start says, or else the version. */
  retry: Retry | null;
  startAt: Date | null;
  expiresAt: Date | null;
  rank: number;
  labels: Labels;
  hold: Hold;
}

export function approvalOf(run: HeldForApproval, asker: Asker): NewApproval {
  const { script, version, environment, inputs, hosts, hostRules, test, plan, hold } = run;
  const reached = hostsInWords(run);
  const rules = hostRules.length > 0 && { hostRules };
  const trial = isTrial(run) && { trial: run.versionId };
  const also = askedBesides(run);
  const input: RunStartInput = {
    ...{ script: script.slug, version, ...trial },
    ...{ environment, inputs, hosts, ...rules, test, ...(plan && { plan }) },
    ...also,
  };
  const which = isTrial(run) ? 'a trial' : `version ${version}`;
  const verb = plan ? 'Plan a run of' : test ? 'Test' : 'Run';
  const what = `${verb} ${which} of the script ${nameText(script.name)} (${script.slug})`;
  return {
    id: run.approvalRequestId,
    workspaceId: run.workspaceId,
    environmentId: run.environmentId,
    action: 'run.start',
    summary: `${what} in ${inlineText(environment)} ${inputsInWords(inputs)}. ${plan ? 'It only reads. ' : ''}${reached}${besidesInWords(also)}`,
    input,
    reason: hold.reason,
    asker,
    runId: run.id,
    ...(hold.by === 'script' && { script: { id: script.id, ownerUserId: script.ownerUserId } }),
    askerLast: hold.by === 'test',
  };
}

type Besides = Pick<RunStartInput, 'startAt' | 'expiresAt' | 'retry' | 'priority' | 'labels'>;

/** What a start says beyond its version and inputs. A plan is never tried again. */
function askedBesides({ startAt, expiresAt, retry, rank, labels, plan }: HeldForApproval): Besides {
  return {
    ...(startAt && { startAt: startAt.toISOString() }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(retry && retry.attempts > 1 && !plan && { retry }),
    ...(rank !== 0 && { priority: -rank }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}

function besidesInWords({ startAt, expiresAt, retry, priority, labels }: Besides): string {
  const sentences = [
    startAt && `It does not begin before ${startAt}.`,
    expiresAt && `It is cancelled if it has not begun by ${expiresAt}.`,
    retry && `It is tried up to ${retry.attempts} times.`,
    priority && `Its priority is ${priority}.`,
    labels && `Its labels are ${inlineText(visible(cutText(JSON.stringify(labels), LONGEST_LABELS, REST)))}.`,
  ];
  return sentences.map((sentence) => (sentence ? ` ${sentence}` : '')).join('');
}

const LONGEST = 2000;
const LONGEST_LABELS = 500;
const LONGEST_RULES = 300;
const LONGEST_PLANNED = 80;
const REST = "… (the rest is in the request's input)";

function inputsInWords({ text }: RawJson): string {
  if (text === '{}') return 'without inputs';
  return `with the inputs ${inlineText(visible(cutText(text, LONGEST, REST)))}`;
}

type Reach = Pick<HeldForApproval, 'hosts' | 'hostRules' | 'secrets'>;

function hostsInWords(reach: Reach): string {
  if (reach.hosts.length === 0) return 'It reaches no host.';
  return `It may reach ${reach.hosts.map((host) => hostInWords(host, reach)).join(', ')}.`;
}

/** `api.example.com (only GET or HEAD to /v1/*)`, `db.example.com:5432 (PostgreSQL, only to read)`. */
function hostInWords(host: string, { hostRules, secrets }: Reach): string {
  const own = hostRules.filter((rule) => rule.host === host);
  const requests = own.flatMap((rule) => (rule.postgres ? [] : requestsInWords(rule) || []));
  const words = [
    ...protocolInWords(own[0]),
    ...(own[0]?.protocol === 'http' ? plainSecretsInWords(host, secrets) : []),
    ...(requests.length === 0 ? [] : [`only ${requests.join(', or ')}`]),
  ];
  return words.length === 0 ? host : `${host} (${cutText(words.join(', '), LONGEST_RULES, REST)})`;
}

/** They may be read on the way, so whoever approves is told. */
function plainSecretsInWords(host: string, secrets: Reach['secrets']): string[] {
  const names = Object.keys(secrets).filter((name) => secrets[name]!.hosts.includes(host));
  if (names.length === 0) return [];
  return [
    `with the ${names.length === 1 ? 'secret' : 'secrets'} ${names.join(', ')} unencrypted, where the operator lets that happen`,
  ];
}

function protocolInWords({ protocol, postgres, ask }: Partial<HostRule> = {}): string[] {
  if (!postgres) return protocol === undefined ? [] : [SPOKEN[protocol]];
  const { database, role, readOnly, statementTimeout, maxConnections } = postgres;
  return [
    `PostgreSQL${readOnly ? ', only to read' : ', to read and write'}${ask ? ` ${ASKED.statement[ask]}` : ''}`,
    ...(database === null ? [] : [`database ${inlineText(database)}`]),
    ...(role === null ? [] : [`as ${inlineText(role)}`]),
    ...(statementTimeout === null ? [] : [`statements up to ${statementTimeout} s`]),
    `${maxConnections} connections at most`,
  ];
}

function requestsInWords({ methods, paths, ask, plan }: HostRule): string {
  const which = [methods?.join(' or ') ?? [], paths ? `to ${paths.join(' or ')}` : []].flat().join(' ');
  if (!ask && !plan) return which;
  return [
    which || 'requests',
    ...(ask ? [ASKED.request[ask]] : []),
    ...(plan ? [plannedInWords(plan)] : []),
  ].join(' ');
}

/** What is said of the cut stands behind the quotes, where no body can say it. */
function plannedInWords(plan: PlannedResponse): string {
  const body = plan.body && cutText(plan.body, LONGEST_PLANNED);
  return inlineText(plannedWords({ ...plan, body })) + (body === plan.body ? '' : REST);
}
