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
  user: string;
  password: string;
  /** Empty: whoever connects says which. */
  database: string;
  sslmode: string;
  /** Empty: the usual authorities. */
  ca: string;
}

/** What the service is told of the value. */
export function contentOf(typed: TypedValue): Pick<SecretInput, 'value' | 'source' | 'reference'> {
  const { source, reference } = typed;
  return source === '' ? { value: valueOf(typed) } : { source, reference: reference.trim() };
}

/** The value as the service takes it. Keys are copied out of pages and files, with blanks around them. */
function valueOf(typed: TypedValue): string {
  const { kind, value, accessKeyId, secretAccessKey, sessionToken } = typed;
  if (kind === 'text') return value;
  if (kind === 'postgres') return JSON.stringify(signInOf(typed));
  const token = sessionToken.trim();
  return JSON.stringify({
    accessKeyId: accessKeyId.trim(),
    secretAccessKey: secretAccessKey.trim(),
    ...(token && { sessionToken: token }),
  });
}

function signInOf({ user, password, database, sslmode, ca }: TypedValue): Record<string, string> {
  return {
    ...{ user: user.trim(), password, sslmode },
    ...(database.trim() && { database: database.trim() }),
    ...(ca.trim() && { ca }),
  };
}
