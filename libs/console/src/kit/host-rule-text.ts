import type { HostRule } from '@gatehouse/client/operations';

/** Which requests a host gets, such as `only GET or HEAD to /v1/*`; null: any. */
export function hostRuleText(host: string, rules: readonly HostRule[]): string | null {
  const own = rules.filter((rule) => rule.host === host).map(ruleText);
  return own.length === 0 ? null : `only ${own.join(', or ')}`;
}

function ruleText({ methods, paths }: HostRule): string {
  return `${methods?.join(' or ') ?? 'requests'}${paths ? ` to ${paths.join(' or ')}` : ''}`;
}
