import { type GateSecret, HostSet } from '../../libs/egress/index.js';
import { placeholderFor } from './placeholder.js';
import { sharedHosts } from './secret-hosts.js';
import type { SecretUses } from './secret-use.js';
import { listed } from './version-secrets.rules.js';

/** A secret as it is in one environment. */
export interface OpenSecret {
  value: string;
  /** The only hosts that the value may go to, in their one form. */
  hosts: readonly string[];
  allowEnv: boolean;
}

/** How the secrets of a version reach a run. */
export interface SecretPlan {
  /** For the gate: only to hosts that both the version and the value name. */
  attached: GateSecret[];
  /** Environment variables with real values. */
  env: Record<string, string>;
  /** Environment variables in place of secrets that the gate attaches, for software that does not start without a key. */
  placeholders: Record<string, string>;
}

/**
 * Decides what of the secrets a run gets, when it starts: values and rules may have changed since the version was made.
 *
 * @param opened the values that there are in the run's environment, by name
 * @returns the plan, or why the run must fail
 */
export function planSecrets(
  { secrets, env }: SecretUses,
  opened: ReadonlyMap<string, OpenSecret>,
  environment: string,
): { plan: SecretPlan } | { problem: string } {
  const attached: GateSecret[] = [];
  for (const [name, use] of Object.entries(secrets)) {
    const secret = opened.get(name);
    if (!secret) return noValue(name, environment);
    const shared = sharedHosts(use.hosts, secret.hosts);
    if (shared.length === 0) {
      const reason = `its value there is for ${listed(secret.hosts)}`;
      return { problem: `the secret ${name} may go to no host of this version in ${environment}: ${reason}` };
    }
    const { value } = secret;
    attached.push({ name, hosts: new HostSet(shared), header: use.header, template: use.value, value });
  }
  const read: [name: string, value: string][] = [];
  for (const name of env) {
    const secret = opened.get(name);
    if (!secret) return noValue(name, environment);
    if (!secret.allowEnv) {
      const reason = 'its allowEnv is false';
      return {
        problem: `the secret ${name} may not be read as an environment variable in ${environment}: ${reason}`,
      };
    }
    read.push([name, secret.value]);
  }
  const unread = Object.keys(secrets).filter((name) => !env.includes(name));
  const placeholders = Object.fromEntries(
    unread.map((name) => [name, placeholderFor(opened.get(name)!.value)]),
  );
  return { plan: { attached, env: Object.fromEntries(read), placeholders } };
}

function noValue(name: string, environment: string): { problem: string } {
  return { problem: `the secret ${name} has no value in ${environment}` };
}
