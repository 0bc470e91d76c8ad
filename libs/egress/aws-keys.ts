import { isRecord } from './is-record.js';

/** What AWS gives somebody to sign requests with. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary keys. */
  sessionToken?: string;
}

/**
 * Keys of nobody, in the usual form, for programs in the box: clients sign with them, and the gate signs anew. The first
 * is also how the gate knows that a URL was signed in the box.
 */
export const AWS_PLACEHOLDER: Required<Omit<AwsKeys, 'sessionToken'>> = {
  accessKeyId: 'AKIAGATEHOUSEATTACHED',
  secretAccessKey: 'attachedbygatehouseattachedbygatehouseat',
};

const FIELDS: readonly string[] = ['accessKeyId', 'secretAccessKey', 'sessionToken'];
/** Shorter texts could not be masked, and no service gives out such keys. */
const MIN_LENGTH = 6;
const MAX_KEY_LENGTH = 256;
const MAX_TOKEN_LENGTH = 16_384;
/** It stands between slashes, commas and equals signs. */
const ACCESS_KEY = /^[A-Za-z0-9_.+@-]+$/;
const VISIBLE = /^[\x21-\x7e]+$/;

/** Reads keys from JSON. A problem says what is wrong with it, and nothing of what it holds. */
export function parseAwsKeys(text: string): { keys: AwsKeys } | { problem: string } {
  const fields = fieldsOf(text);
  if (fields === null) {
    return {
      problem: 'must be JSON with accessKeyId and secretAccessKey, and sessionToken for temporary keys',
    };
  }
  if ([...fields.keys()].some((name) => !FIELDS.includes(name)))
    return { problem: `must have no other fields than ${FIELDS.join(', ')}` };
  const { accessKeyId, secretAccessKey, sessionToken } = Object.fromEntries(fields);
  const problem =
    keyProblem('accessKeyId', accessKeyId, ACCESS_KEY, MAX_KEY_LENGTH) ??
    keyProblem('secretAccessKey', secretAccessKey, VISIBLE, MAX_KEY_LENGTH) ??
    (sessionToken === undefined ? null : keyProblem('sessionToken', sessionToken, VISIBLE, MAX_TOKEN_LENGTH));
  return problem === null ? { keys: Object.fromEntries(fields) as unknown as AwsKeys } : { problem };
}

function fieldsOf(text: string): Map<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? new Map(Object.entries(parsed)) : null;
  } catch {
    return null;
  }
}

function keyProblem(name: string, value: unknown, form: RegExp, most: number): string | null {
  if (typeof value !== 'string') return `must have ${name}, a text`;
  if (value.length < MIN_LENGTH || value.length > most)
    return `has an ${name} that is not ${MIN_LENGTH} to ${most} characters long`.replace('an s', 'a s');
  return form.test(value) ? null : `has characters in ${name} that no key has, such as blanks or line breaks`;
}
