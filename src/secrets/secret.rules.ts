import { isMaskable, parseAwsKeys, parsePostgresSecret } from '../../libs/egress/index.js';
import type { SecretKind } from './secret-kind.js';

export const MAX_VALUE_BYTES = 65_536;

export function valueProblem(value: string): string | null {
  if (value === '') return 'must not be empty';
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return `must not be larger than ${MAX_VALUE_BYTES} bytes`;
  return null;
}

/** What keeps a value from being of a kind, or null. The value is not repeated. */
export function kindProblem(kind: SecretKind, value: string): string | null {
  if (kind === 'text') return null;
  const parsed = kind === 'aws' ? parseAwsKeys(value) : parsePostgresSecret(value);
  return 'problem' in parsed ? parsed.problem : null;
}

/** What the person who sets a value should know about it, or null. */
export function valueWarning(kind: SecretKind, value: string): string | null {
  const parsed = kind === 'postgres' ? parsePostgresSecret(value) : null;
  if (isMaskable(parsed && 'secret' in parsed ? parsed.secret.password : value)) return null;
  return 'The value has fewer than 6 characters. It is not masked in logs, outputs and errors, where it would blot out ordinary text.';
}
