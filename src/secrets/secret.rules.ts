import type { WorkspaceCaller } from '../core/access/caller.js';
import { roleReaches } from '../core/access/roles.js';
import { isMaskable, parseAwsKeys } from '../../libs/egress/index.js';
import type { Secret } from './secret.entity.js';
import type { SecretKind } from './secret-kind.js';

export const MAX_VALUE_BYTES = 65_536;

/** What of a secret its environments share. */
export type SharedPart = Pick<Secret, 'allowEnv' | 'createdByUserId'>;

/**
 * Why this caller may not set `allowEnv`, or null. Whoever may set values may also set it to false, and to anything on a
 * new secret. Setting it to true on an existing one takes its creator, an owner or an admin.
 *
 * @param before null: the secret is being made
 */
export function allowEnvProblem(
  { bound, environment, role, person }: Pick<WorkspaceCaller, 'bound' | 'environment' | 'role' | 'person'>,
  before: SharedPart | null,
  allowEnv: boolean,
): string | null {
  if (allowEnv === (before?.allowEnv ?? false)) return null;
  if (bound) {
    return `All environments share allowEnv. The credential is bound to ${environment.name} and may not change it.`;
  }
  if (!allowEnv || before === null || roleReaches(role, 'admin')) return null;
  if (person !== null && person.id === before.createdByUserId) return null;
  return 'Only the person who made this secret, an owner or an admin may let scripts read it as an environment variable.';
}

/** What is wrong with a value, or null. */
export function valueProblem(value: string): string | null {
  if (value === '') return 'must not be empty';
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return `must not be larger than ${MAX_VALUE_BYTES} bytes`;
  return null;
}

/** What keeps a value from being of a kind, or null. The value is not repeated. */
export function kindProblem(kind: SecretKind, value: string): string | null {
  if (kind === 'text') return null;
  const parsed = parseAwsKeys(value);
  return 'problem' in parsed ? parsed.problem : null;
}

/** What the person who sets a value should know about it, or null. */
export function valueWarning(value: string): string | null {
  if (isMaskable(value)) return null;
  return 'The value has fewer than 6 characters. It is not masked in logs, outputs and errors, where it would blot out ordinary text.';
}
