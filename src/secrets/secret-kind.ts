/** What a value is: any text, or AWS keys (JSON) that the gate signs requests with. */
export const SECRET_KINDS = ['text', 'aws'] as const;

export type SecretKind = (typeof SECRET_KINDS)[number];

/** The `value` of a version's secret that has requests signed for AWS. */
export const AWS_TEMPLATE = 'AWS4-HMAC-SHA256 {secret}';

/** Why a secret of a kind cannot be used with a template, a clause about the secret; or null. */
export function templateKindProblem(kind: SecretKind, template: string): string | null {
  if (kind === 'aws' && template !== AWS_TEMPLATE)
    return `holds AWS keys, which are never sent: let the gate sign with "value": "${AWS_TEMPLATE}"`;
  if (kind === 'text' && template === AWS_TEMPLATE)
    return 'is a text, and only one of the kind aws can sign requests';
  return null;
}
