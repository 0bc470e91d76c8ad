import type { Received } from './received.js';
import type { VerifyConfig } from './verify-config.js';
import { isSameText } from './verify.js';

/** What a sender asks for before it sends anything; it is sent back as text that no browser takes for a page. */
const CHALLENGE = /^[\w.~-]{1,200}$/;

/** The challenge of Slack's `url_verification`, of a request that is verified; null: it is none. */
export function slackChallenge(config: VerifyConfig, body: unknown): string | null {
  if (config.scheme !== 'slack' || typeof body !== 'object' || body === null) return null;
  const { type, challenge } = body as Record<string, unknown>;
  if (type !== 'url_verification' || typeof challenge !== 'string') return null;
  return CHALLENGE.test(challenge) ? challenge : null;
}

/** The challenge of Meta's look at an address, by GET; null: it is none, or it does not know the token. */
export function metaChallenge(
  config: VerifyConfig,
  keys: ReadonlyMap<string, string>,
  query: Received['query'],
): string | null {
  const token = config.scheme === 'hmac' && config.verifyToken ? keys.get(config.verifyToken) : undefined;
  const challenge = query['hub.challenge'];
  if (!token || query['hub.mode'] !== 'subscribe' || challenge === undefined) return null;
  if (!isSameText(query['hub.verify_token'] ?? '', token)) return null;
  return CHALLENGE.test(challenge) ? challenge : null;
}
