import type { SecretInput } from '@gatehouse/client/operations';

/** What a form holds of a value: the text, or the keys. */
export interface TypedValue {
  kind: NonNullable<SecretInput['kind']>;
  value: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Empty: the keys are not temporary. */
  sessionToken: string;
}

/** The value as the service takes it. Keys are copied out of pages and files, with blanks around them. */
export function valueOf({ kind, value, accessKeyId, secretAccessKey, sessionToken }: TypedValue): string {
  if (kind === 'text') return value;
  const token = sessionToken.trim();
  return JSON.stringify({
    accessKeyId: accessKeyId.trim(),
    secretAccessKey: secretAccessKey.trim(),
    ...(token && { sessionToken: token }),
  });
}
