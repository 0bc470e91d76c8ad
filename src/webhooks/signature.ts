import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret as its receiver gets it: a prefix and the key in base64. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The key within a signing secret: an object, since bytes are made one anew for each signature, which takes longer than to sign. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(PREFIX.length), 'base64');
}

/** What is signed of a request. */
interface SignedContent {
  /** The delivery's id. */
  id: string;
  /** Unix time in whole seconds. */
  timestamp: number;
  /** As it is sent, byte by byte. */
  body: string;
}

/**
 * The header `webhook-signature` of Standard Webhooks: a signature by each of the keys, of which a receiver accepts any.
 */
export function signatureHeader(keys: readonly KeyObject[], { id, timestamp, body }: SignedContent): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');
}
