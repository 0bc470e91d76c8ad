import type { SecretInput } from '@gatehouse/client/operations';

/** What a form holds of a value: the text, or the keys; or where it is read from. */
export interface TypedValue {
  kind: NonNullable<SecretInput['kind']>;
  /** Empty: the value is stored here. */
  source: string;
  reference: string;
  value: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Empty: the keys are not temporary. */
  sessionToken: string;
}

/** What the service is told of the value. */
export function contentOf(typed: TypedValue): Pick<SecretInput, 'value' | 'source' | 'reference'> {
  const { source, reference } = typed;
  return source === '' ? { value: valueOf(typed) } : { source, reference: reference.trim() };
}

/** The value as the service takes it. Keys are copied out of pages and files, with blanks around them. */
function valueOf({ kind, value, accessKeyId, secretAccessKey, sessionToken }: TypedValue): string {
  if (kind === 'text') return value;
  const token = sessionToken.trim();
  return JSON.stringify({
    accessKeyId: accessKeyId.trim(),
    secretAccessKey: secretAccessKey.trim(),
    ...(token && { sessionToken: token }),
  });
}
