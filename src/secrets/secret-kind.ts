import type { SecretUse } from './secret-use.js';

/** What a value is: any text, or in JSON AWS keys that the gate signs requests with, or what it signs in to PostgreSQL with. */
export const SECRET_KINDS = ['text', 'aws', 'postgres'] as const;

export type SecretKind = (typeof SECRET_KINDS)[number];

/** The `value` of a version's secret that has requests signed for AWS. */
export const AWS_TEMPLATE = 'AWS4-HMAC-SHA256 {secret}';

/** Nor does any of it stand in a header. */
export const neverReachesScripts = (kind: SecretKind): boolean => kind !== 'text';

/** Why a secret of a kind cannot be used so, a clause about the secret; or null. */
export function useKindProblem(kind: SecretKind, { header, value: template }: SecretUse): string | null {
  if (header === '' && kind !== 'postgres')
    return 'is not of the kind postgres, and only such a one signs in to PostgreSQL';
  if (header !== '' && kind === 'postgres')
    return 'is for signing in to PostgreSQL, and never sent: leave out the header, and name a host with "protocol": "postgres"';
  if (kind === 'aws' && template !== AWS_TEMPLATE)
    return `holds AWS keys, which are never sent: let the gate sign with "value": "${AWS_TEMPLATE}"`;
  if (kind === 'text' && template === AWS_TEMPLATE)
    return 'is a text, and only one of the kind aws can sign requests';
  return null;
}
