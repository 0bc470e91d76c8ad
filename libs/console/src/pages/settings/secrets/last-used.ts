import type { SecretValue } from '@gatehouse/client/operations';

/** When a secret was last used in any environment. */
export function lastUsed(values: readonly Pick<SecretValue, 'lastUsedAt'>[]): string | null {
  return values.reduce<string | null>(
    (last, { lastUsedAt }) =>
      lastUsedAt !== null && (last === null || lastUsedAt > last) ? lastUsedAt : last,
    null,
  );
}
