import { parseAwsKeys } from './aws-keys.js';
import type { GateSecret } from './gate-options.js';
import { encodedTexts, filled, PLACEHOLDER } from './secret-template.js';

/** A header's content that begins with an authentication scheme of one parameter. */
const CREDENTIALS = /^\s*(basic|bearer|token)\s+(\S+)\s*$/i;

type Attached = Pick<GateSecret, 'template' | 'value' | 'signing' | 'userIsPublic'>;

/** What a secret's header says. */
export function headerContent({ template = PLACEHOLDER, value }: Attached): string {
  return filled(template, value);
}

/**
 * Everything that gives a secret away: its value, and what follows the scheme where the value names one. Of Basic
 * credentials (RFC 7617) what they decode to, whole and in halves. Of AWS keys, each of them.
 */
export function valuesOfSecret(secret: Attached): string[] {
  if (secret.signing === 'aws') {
    const parsed = parseAwsKeys(secret.value);
    return 'keys' in parsed ? (Object.values(parsed.keys) as string[]) : [secret.value];
  }
  const composed = encodedTexts(secret.template ?? PLACEHOLDER, secret.value);
  // What the template adds, such as a user's name, is in the version for everybody to read.
  if (composed.length > 0) return [...new Set([secret.value, ...composed])];
  const [, scheme, credentials] = CREDENTIALS.exec(headerContent(secret)) ?? [];
  if (scheme === undefined || credentials === undefined) return [secret.value];
  const values = [secret.value, ...(CREDENTIALS.test(secret.value) ? [credentials] : [])];
  if (scheme.toLowerCase() !== 'basic') return values;
  const decoded = Buffer.from(credentials, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon < 0) return [...values, decoded];
  const [user, password] = [decoded.slice(0, colon), decoded.slice(colon + 1)];
  return [...new Set([...values, decoded, ...(secret.userIsPublic ? [] : [user]), password])];
}
