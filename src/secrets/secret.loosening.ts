import type { Loosening } from '../core/access/index.js';
import { areAmong } from './secret-hosts.js';

/** What a secret's value was limited to, or its last one before it was deleted. */
export interface SecretLimits {
  /** null: there has never been a secret of the name. */
  allowEnv: boolean | null;
  /** null: it has never had a value in the environment. */
  hosts: readonly string[] | null;
  /** Where the value is read from now; null: it is stored here, or there is none. */
  source: string | null;
  reference: string | null;
}

/** What is asked for. */
export interface SecretReach {
  allowEnv: boolean;
  hosts: readonly string[];
  source: string | null;
  reference: string | null;
}

/**
 * What a change opens further. Naming a source always does, but for the very reference that is there: it opens what nobody
 * who asks for it has to know.
 */
export function loosened(before: SecretLimits, after: SecretReach): Loosening[] {
  const sameSource = before.source === after.source && before.reference === after.reference;
  return [
    ...(after.allowEnv && before.allowEnv === false ? (['secret.allow_env'] as const) : []),
    ...(before.hosts && !areAmong(after.hosts, before.hosts) ? (['secret.hosts'] as const) : []),
    ...(after.source !== null && !sameSource ? (['secret.source'] as const) : []),
  ];
}
