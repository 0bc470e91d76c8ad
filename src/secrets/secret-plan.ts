import {
  AWS_PLACEHOLDER,
  type GateSecret,
  HostSet,
  parsePostgresSecret,
  type PostgresSecret,
} from '../../libs/egress/index.js';
import { placeholderFor } from './placeholder.js';
import { sharedHosts } from './secret-hosts.js';
import { neverReachesScripts, type SecretKind, useKindProblem } from './secret-kind.js';
import type { SecretUse, SecretUses } from './secret-use.js';
import { listed } from './version-secrets.rules.js';

/** A secret as it is in one environment. */
export interface OpenSecret {
  value: string;
  kind: SecretKind;
  /** The only hosts that the value may go to, in their one form. */
  hosts: readonly string[];
  allowEnv: boolean;
}

/** Where the SDKs of AWS and its command line look for keys first. */
const AWS_VARIABLES = [
  ['AWS_ACCESS_KEY_ID', AWS_PLACEHOLDER.accessKeyId],
  ['AWS_SECRET_ACCESS_KEY', AWS_PLACEHOLDER.secretAccessKey],
];

/** A secret that the gate signs in to servers with. */
export interface SignIn {
  name: string;
  hosts: HostSet;
  credentials: PostgresSecret;
}

/** How the secrets of a version reach a run. */
export interface SecretPlan {
  /** For the gate: only to hosts that both the version and the value name. */
  attached: GateSecret[];
  /** For the gate as well: what it signs in with, where. */
  signIns: SignIn[];
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
  const signIns: SignIn[] = [];
  for (const [name, use] of Object.entries(secrets)) {
    const secret = opened.get(name);
    if (!secret) return noValue(name, environment);
    const shared = sharedHosts(use.hosts, secret.hosts);
    if (shared.length === 0) {
      const reason = `its value there is for ${listed(secret.hosts)}`;
      return { problem: `the secret ${name} may go to no host of this version in ${environment}: ${reason}` };
    }
    const mismatch = useKindProblem(secret.kind, use);
    if (mismatch !== null) return { problem: `the secret ${name} ${mismatch}` };
    const hosts = new HostSet(shared);
    if (secret.kind !== 'postgres') attached.push({ name, hosts, ...attachment(use, secret) });
    else {
      const parsed = parsePostgresSecret(secret.value);
      if ('problem' in parsed) return { problem: `the value of the secret ${name} ${parsed.problem}` };
      signIns.push({ name, hosts, credentials: parsed.secret });
    }
  }
  const read: [name: string, value: string][] = [];
  for (const name of env) {
    const secret = opened.get(name);
    if (!secret) return noValue(name, environment);
    if (!secret.allowEnv || neverReachesScripts(secret.kind)) {
      const reason = secret.allowEnv ? `it is of the kind ${secret.kind}` : 'its allowEnv is false';
      return {
        problem: `the secret ${name} may not be read as an environment variable in ${environment}: ${reason}`,
      };
    }
    read.push([name, secret.value]);
  }
  const unread = Object.keys(secrets).filter((name) => !env.includes(name));
  const placeholders = Object.fromEntries([
    ...unread
      .filter((name) => !signIns.some((signIn) => signIn.name === name))
      .map((name) => [name, placeholderFor(opened.get(name)!.value)]),
    ...(attached.some(({ signing }) => signing === 'aws') ? AWS_VARIABLES : []),
  ]) as Record<string, string>;
  return { plan: { attached, signIns, env: Object.fromEntries(read), placeholders } };
}

function attachment({ header, value: template }: SecretUse, { kind, value }: OpenSecret) {
  return kind === 'aws' ? { header, signing: 'aws' as const, value } : { header, template, value };
}

function noValue(name: string, environment: string): { problem: string } {
  return { problem: `the secret ${name} has no value in ${environment}` };
}
