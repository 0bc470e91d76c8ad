import type { ErrorDetail } from '../core/errors/index.js';
import { sharedHosts } from './secret-hosts.js';
import type { Secret } from './secret.entity.js';
import { neverReachesScripts, useKindProblem } from './secret-kind.js';
import type { SecretUses } from './secret-use.js';

/** A secret that has a value in some environment. */
export interface StoredSecret extends Pick<Secret, 'name' | 'kind' | 'allowEnv'> {
  values: readonly { environment: string; hosts: readonly string[] }[];
}

/**
 * What keeps a version from using secrets as it asks to, in any environment that has a value. Where a value is missing,
 * there is nothing to check yet: runs fail there, and say why.
 *
 * @param only the one environment that the caller may know of, or null for all: others are checked but not named
 */
export function versionSecretProblems(
  { secrets, env }: SecretUses,
  stored: readonly StoredSecret[],
  only: string | null,
): ErrorDetail[] {
  const byName = new Map(stored.map((secret) => [secret.name, secret]));
  const attached = Object.entries(secrets).flatMap(([name, use]) => {
    const secret = byName.get(name);
    if (secret === undefined) return [];
    const mismatch = useKindProblem(secret.kind, use);
    if (mismatch !== null) {
      const field = use.header === '' || secret.kind === 'postgres' ? 'header' : 'value';
      return [{ path: `secrets.${name}.${field}`, message: `the secret ${name} ${mismatch}` }];
    }
    return secret.values
      .filter((value) => sharedHosts(use.hosts, value.hosts).length === 0)
      .map((value) => ({ path: `secrets.${name}`, message: mayNotGo(name, value, only) }));
  });
  const read = env.flatMap((name, index) => {
    const secret = byName.get(name);
    if (!secret || (secret.allowEnv && !neverReachesScripts(secret.kind))) return [];
    const why = secret.allowEnv ? `it is of the kind ${secret.kind}` : 'its allowEnv is false';
    const message = `the secret ${name} may not be read as an environment variable: ${why}`;
    return [{ path: `env.${index}`, message }];
  });
  return [...attached, ...read];
}

function mayNotGo(
  name: string,
  { environment, hosts }: StoredSecret['values'][number],
  only: string | null,
): string {
  const none = `the secret ${name} may go to none of these hosts in ${visibleName(environment, only)}`;
  return only !== null && environment !== only ? none : `${none}: its value there is for ${listed(hosts)}`;
}

/**
 * An environment's name for somebody who may not know of all.
 *
 * @param only the one environment that a credential may know of, or null for all
 */
export function visibleName(environment: string, only: string | null): string {
  return only === null || environment === only
    ? environment
    : 'an environment that this credential does not see';
}

/** Hosts in words. */
export function listed(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'no host' : hosts.join(', ');
}
