import { WebhookVerificationError } from '../errors/errors.js';
import type { WorkspaceEvent } from '../events/workspace-event.js';

/** `Headers`, or the object that Node's servers have. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of the delivery may be from now, in seconds. @default 300 */
  toleranceSeconds?: number;
  /** Now, in milliseconds. */
  now?: number;
}

const PREFIX = 'whsec_';
const VERSION = 'v1';

/**
 * Checks that a delivery comes from Gatehouse, and gives its event. After a secret was rotated, deliveries are signed with
 * both for a day; either is enough.
 *
 * @param body the body as it came: parsed and written again, it would be another
 * @param secret the endpoint's (`whsec_…`), or several of which one has to fit
 * @throws WebhookVerificationError
 */
export async function verifyWebhook<Data = Record<string, unknown>>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WorkspaceEvent<Data>> {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature');
  checkTime(timestamp, options);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const candidates = signatures
    .split(' ')
    .map((part) => part.split(','))
    .filter(([version]) => version === VERSION)
    .map(([, signature]) => bytesOf(signature ?? ''))
    .filter((signature) => signature !== null);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(one);
    for (const candidate of candidates) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, candidate, signed)) {
        return JSON.parse(new TextDecoder().decode(bytes)) as WorkspaceEvent<Data>;
      }
    }
  }
  throw new WebhookVerificationError(
    'No signature fits. Is it the secret of this endpoint, and the body as it came?',
  );
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}

function checkTime(timestamp: string, { toleranceSeconds = 300, now = Date.now() }: VerifyOptions): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp is malformed.');
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError(`The delivery is ${Math.round(age)} s away from this machine's time.`);
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const key = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null;
  // Never with the secret: errors are logged.
  if (key === null || key.length === 0) {
    throw new WebhookVerificationError(`The secret is not one of an endpoint: those begin with ${PREFIX}.`);
  }
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
