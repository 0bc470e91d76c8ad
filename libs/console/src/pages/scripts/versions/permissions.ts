import type { ScriptVersion } from '@gatehouse/client/operations';

import { hostRuleText } from '../../../kit/host-rule-text.js';
import { basicUserOf, secretUseForm } from '../../../kit/secret-use-form.js';

type Reach = Pick<ScriptVersion, 'hosts' | 'hostRules' | 'secrets' | 'env'>;

/** What a version may do with the world outside, a sentence each; names stand in backticks. */
export function permissionsOf({ hosts, hostRules, secrets, env }: Reach): string[] {
  const uses = Object.entries(secrets).sort(([a], [b]) => a.localeCompare(b));
  const withSecret = new Set(uses.flatMap(([, use]) => use.hosts));
  return [
    ...uses.map(([name, use]) => useText(name, use)),
    ...hosts.flatMap((host) => {
      const rules = hostRuleText(host, hostRules);
      if (rules !== null) return [`may send ${hostText(host)} ${rules}`];
      return withSecret.has(host) ? [] : [`may reach ${hostText(host)}`];
    }),
    ...(hosts.length === 0 ? ['reaches no host'] : []),
    ...[...env].sort().map((name) => `reads \`${name}\` as an environment variable`),
  ];
}

function useText(name: string, use: ScriptVersion['secrets'][string]): string {
  const to = listed(use.hosts.map(hostText));
  const form = secretUseForm(use);
  if (form === 'aws') return `may sign requests to ${to} with \`${name}\`, for AWS`;
  const how = {
    bearer: 'as a Bearer token',
    basic: `as the password of \`${basicUserOf(use.value)}\``,
    own: `in the header \`${use.header}\`${use.value === '{secret}' ? '' : `, as \`${use.value}\``}`,
  };
  return `may send \`${name}\` to ${to}, ${how[form]}`;
}

/** `*.example.com` is any host below, but not `example.com` itself. */
function hostText(host: string): string {
  return host.startsWith('*.') ? `every host below ${host.slice(2)}` : host;
}

export function listed(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
