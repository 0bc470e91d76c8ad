import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import { cutText } from '../../../libs/cut-text/index.js';
import { type Received, refused, type Verdict } from './received.js';
import { recipeOf, type SignatureRecipe, type SignedConfig } from './signature-recipes.js';
import type { VerifyConfig } from './verify-config.js';

/** A timestamp of more digits is in milliseconds. */
const SECONDS = /^\d{1,11}$/;
const MILLISECONDS = /^\d{12,14}$/;
/** A sender's own name for a request. */
const MOST_ID = 200;

/**
 * Checks what was sent, in constant time and before any of it is parsed.
 *
 * @param keys the values of the config's secrets, by name
 */
export function verify(config: VerifyConfig, keys: ReadonlyMap<string, string>, received: Received): Verdict {
  if (config.scheme === 'none') return { verified: true, id: null };
  const key = keys.get(config.secret);
  if (!key) return refused(`the secret ${config.secret} has no value in the environment of the hook`);
  const { headers } = received;
  switch (config.scheme) {
    case 'basic': {
      const wanted = `Basic ${Buffer.from(`${config.username}:${key}`).toString('base64')}`;
      return sameText(headers['authorization'], wanted, 'its user and password are not right', null);
    }
    case 'token': {
      const { header = 'authorization' } = config;
      const wanted = header === 'authorization' ? `Bearer ${key}` : key;
      return sameText(headers[header], wanted, `its header ${header} is not right`, null);
    }
    case 'gitlab': {
      const id = headers['x-gitlab-event-uuid'] ?? headers['idempotency-key'] ?? null;
      return sameText(headers['x-gitlab-token'], key, 'its X-Gitlab-Token is not right', idOf(id));
    }
    default:
      return verifySignature(recipeOf(config as SignedConfig), key, received);
  }
}

/** Whether two texts are the same, in a time that says nothing of either. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

function sameText(given: string | undefined, wanted: string, problem: string, id: string | null): Verdict {
  return isSameText(given ?? '', wanted) ? { verified: true, id } : refused(problem);
}

function verifySignature(recipe: SignatureRecipe, value: string, received: Received): Verdict {
  const { algorithm, encoding, signed, tolerance } = recipe;
  const timestamp = recipe.timestamp?.(received);
  if (recipe.timestamp && timestamp === undefined) return refused('it has no timestamp');
  // Stripe's and Slack's names are in the body: looked for only once the signature holds.
  const takesId = signed.includes('{id}');
  const id = takesId ? recipe.id?.(received) : undefined;
  if (takesId && id === undefined) return refused('it has no id');
  const key = recipe.key(value);
  if (key.length === 0) return refused('the secret is no key of this scheme');
  const signatures = recipe.signatures(received);
  if (signatures.length === 0) return refused('it has no signature');
  const hmac = createHmac(algorithm, key);
  for (const part of signed.split(/(\{body\}|\{timestamp\}|\{id\})/)) {
    if (part === '{body}') hmac.update(received.body);
    else hmac.update(part === '{timestamp}' ? timestamp! : part === '{id}' ? id! : part);
  }
  const wanted = hmac.digest();
  // All of them are looked at, so that the time does not tell which one was right.
  const right = signatures.filter((given) => isDigest(given, encoding, wanted));
  if (right.length === 0) return refused('its signature is not right');
  if (timestamp !== undefined && tolerance !== undefined) {
    const seconds = secondsOf(timestamp);
    if (seconds === null) return refused('its timestamp is no number of seconds');
    if (Math.abs(received.now - seconds) > tolerance)
      return refused(`its timestamp is more than ${tolerance} seconds away`);
  }
  return { verified: true, id: idOf(id ?? recipe.id?.(received) ?? null) };
}

function isDigest(given: string, encoding: 'hex' | 'base64', wanted: Buffer): boolean {
  const bytes = Buffer.from(given, encoding);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

function secondsOf(timestamp: string): number | null {
  if (SECONDS.test(timestamp)) return Number(timestamp);
  return MILLISECONDS.test(timestamp) ? Number(timestamp) / 1000 : null;
}

/** null: it has none, or one that no text of the database holds. */
function idOf(id: string | null): string | null {
  return id === null || id === '' || id.includes('\0') ? null : cutText(id.toWellFormed(), MOST_ID);
}
