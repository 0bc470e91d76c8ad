import type { ScriptVersion } from '@gatehouse/client/operations';

import { hostRuleText, isPlain, UNENCRYPTED } from '../../../kit/host-rule-text.js';
import { basicUserOf, secretUseForm } from '../../../kit/secret-use-form.js';

type Reach = Pick<ScriptVersion, 'hosts' | 'hostRules' | 'secrets' | 'env'>;

/** What a version may do with the world outside, a sentence each; names stand in backticks. */
export function permissionsOf(version: Reach): string[] {
  const { hosts, hostRules, secrets } = version;
  const withSecret = new Set(Object.values(secrets).flatMap((use) => use.hosts));
  return [
    ...useLines(version),
    ...hosts.flatMap((host) => {
      const rules = hostRuleText(host, hostRules);
      if (rules !== null) {
        const spoken = hostRules.some((rule) => rule.host === host && rule.protocol !== undefined);
        return [spoken ? `may reach ${hostText(host)}: ${rules}` : `may send ${hostText(host)} ${rules}`];
      }
      return withSecret.has(host) ? [] : [`may reach ${hostText(host)}`];
    }),
    ...(hosts.length === 0 ? ['reaches no host'] : []),
    ...envLines(version),
  ];
}

/** What a version gets of secrets, and where and how each is sent. */
export const secretLines = (version: Omit<Reach, 'hosts'>): string[] => [
  ...useLines(version),
  ...envLines(version),
];

const useLines = ({ secrets, hostRules }: Pick<Reach, 'secrets' | 'hostRules'>): string[] =>
  Object.entries(secrets)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, use]) => `${useText(name, use)}${plainText(use, hostRules)}`);

const envLines = ({ env }: Pick<Reach, 'env'>): string[] =>
  [...env].sort().map((name) => `reads \`${name}\` as an environment variable`);

function useText(name: string, use: ScriptVersion['secrets'][string]): string {
  const to = listed(use.hosts.map(hostText));
  const form = secretUseForm(use);
  if (form === 'aws') return `may sign requests to ${to} with \`${name}\`, for AWS`;
  if (form === 'signIn') return `may sign in to ${to} with \`${name}\``;
  const how = {
    bearer: 'as a Bearer token',
    basic: `as the password of \`${basicUserOf(use.value)}\``,
    own: `in the header \`${use.header}\`${use.value === '{secret}' ? '' : `, as \`${use.value}\``}`,
  };
  return `may send \`${name}\` to ${to}, ${how[form]}`;
}

function plainText({ hosts }: ScriptVersion['secrets'][string], rules: Reach['hostRules']): string {
  const to = hosts.filter((host) => isPlain(host, rules));
  return to.length === 0 ? '' : ` — to ${listed(to)} ${UNENCRYPTED}`;
}

/** `*.example.com` is any host below, but not `example.com` itself. */
function hostText(host: string): string {
  return host.startsWith('*.') ? `every host below ${host.slice(2)}` : host;
}

export function listed(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
