import type { Secret } from '@gatehouse/client/operations';

import { AWS, BEARER, secretUseForm, SIGN_IN } from '../../../kit/secret-use-form.js';
import type { SecretRow } from './draft.js';

/** With one that was made just now: in the row of its name, else in one that has none yet, else in one more. */
export function withSecret(
  rows: readonly SecretRow[],
  { name, kind }: Pick<Secret, 'name' | 'kind'>,
): SecretRow[] {
  const found = [name, ''].map((one) => rows.findIndex((row) => row.name === one)).find((at) => at >= 0);
  const row = found === undefined ? { hosts: [], ...BEARER } : rows[found]!;
  const made = { ...row, name, ...useFor(kind, { ...row, name }) };
  return found === undefined ? [...rows, made] : rows.with(found, made);
}

/** With those that a secret may go to, where it could go to none. */
export function withHosts(hosts: string[], ofSecret: readonly string[]): string[] {
  return ofSecret.some((host) => hosts.includes(host)) ? hosts : [...hosts, ...ofSecret];
}

/** AWS keys only sign, what signs in does only that, and nothing else does either. */
export function useFor(kind: Secret['kind'] | undefined, row: SecretRow): Partial<SecretRow> {
  if (kind === 'aws') return AWS;
  if (kind === 'postgres') return SIGN_IN;
  return kind === 'text' && ['aws', 'signIn'].includes(secretUseForm(row)) ? BEARER : {};
}
