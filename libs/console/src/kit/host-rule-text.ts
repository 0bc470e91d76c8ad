import type { HostRule } from '@gatehouse/client/operations';

import { ASKED, plannedWords, SPOKEN } from '../../../egress/rule-words.js';

/** Which requests a host gets, such as `only GET or HEAD to /v1/*`, or how else it is spoken to; null: any, by HTTPS. */
export function hostRuleText(host: string, rules: readonly HostRule[]): string | null {
  const own = rules.filter((rule) => rule.host === host);
  const requests = own.filter(isLimit).map(requestsText);
  const parts = [
    ...protocolText(own[0]),
    ...(requests.length === 0 ? [] : [`only ${requests.join(', or ')}`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** Whether a rule is one of requests: which they are, that each is asked about, or what it gets in a plan. */
export function isLimit({ methods, paths, ask, plan, postgres }: HostRule): boolean {
  return !postgres && (methods !== null || paths !== null || ask !== undefined || plan !== undefined);
}

/** Whether what is sent there may be read on the way, secrets included. */
export function isPlain(host: string, rules: readonly HostRule[]): boolean {
  return rules.some((rule) => rule.host === host && rule.protocol === 'http');
}

/** Said of a secret that goes to such a host. */
export const UNENCRYPTED = 'unencrypted, where the operator lets that happen';

function requestsText({ methods, paths, ask, plan }: HostRule): string {
  const which = `${methods?.join(' or ') ?? 'requests'}${paths ? ` to ${paths.join(' or ')}` : ''}`;
  return [which, ...(ask ? [ASKED.request[ask]] : []), ...(plan ? [plannedWords(plan)] : [])].join(' ');
}

function protocolText({ protocol, postgres, ask }: Partial<HostRule> = {}): string[] {
  if (protocol === undefined) return [];
  if (!postgres) return [SPOKEN[protocol]];
  const { database, role, readOnly, statementTimeout, maxConnections } = postgres;
  return [
    `${SPOKEN.postgres}, ${readOnly ? 'only to read' : 'to read and write'}${ask ? ` ${ASKED.statement[ask]}` : ''}`,
    ...(database === null ? [] : [`database ${database}`]),
    ...(role === null ? [] : [`as ${role}`]),
    ...(statementTimeout === null ? [] : [`statements up to ${statementTimeout} s`]),
    `${maxConnections} connections at most`,
  ];
}
