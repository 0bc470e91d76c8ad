import type { IncomingMessage } from 'node:http';

import { cutText } from '../../../libs/cut-text/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { isLarge, parseJson } from '../../core/http/index.js';
import type { Received } from '../verify/received.js';
import { provingHeaders, type VerifyConfig } from '../verify/verify-config.js';

/** Kept of every request: what it is, and what it is about. None of them proves anything. */
const KEPT = new Set([
  'content-type',
  'user-agent',
  'idempotency-key',
  'webhook-id',
  'webhook-timestamp',
  'x-github-event',
  'x-github-delivery',
  'x-github-hook-id',
  'x-gitlab-event',
  'x-gitlab-event-uuid',
  'x-gitlab-instance',
  'x-shopify-topic',
  'x-shopify-shop-domain',
  'x-shopify-webhook-id',
  'x-shopify-event-id',
  'x-shopify-api-version',
  'x-slack-request-timestamp',
  'x-slack-retry-num',
  'x-slack-retry-reason',
  'x-event-id',
  'x-event-type',
  'x-request-id',
]);
/** Kept nowhere, whoever asks for it. */
const NEVER = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-gitlab-token',
  'x-hub-signature',
  'x-hub-signature-256',
  'x-shopify-hmac-sha256',
  'x-slack-signature',
  'stripe-signature',
  'webhook-signature',
]);
const MOST_HEADER_CHARACTERS = 2_000;
const MOST_FIELDS = 1_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** A request as filters and templates see it. */
export interface RequestData {
  /** Of JSON the value, of a form its fields, otherwise the text; null: nothing was sent. */
  body: unknown;
  headers: Record<string, string>;
  query: Record<string, string>;
}

/** What came with a body: of headers and parameters that come twice, the last. */
export function receivedOf(message: IncomingMessage & { originalUrl?: string }, body: Buffer): Received {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
  const [, search = ''] = (message.originalUrl ?? message.url!).split('?', 2);
  const query = named(pairsOf(search.split('&', MOST_FIELDS).join('&')));
  return { headers, query, body, now: Date.now() / 1000 };
}

/** Those of the allow list, and what the hook wants besides. */
export function keptHeaders(
  { headers }: Received,
  wanted: readonly string[],
  verify: VerifyConfig,
): Record<string, string> {
  const proving = provingHeaders(verify);
  const entries = Object.entries(headers).filter(
    ([name]) => (KEPT.has(name) || wanted.includes(name)) && !NEVER.has(name) && !proving.includes(name),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, cutText(value, MOST_HEADER_CHARACTERS)]));
}

/** @throws InvalidRequest where it is not what its media type says */
export function parseBody(body: Buffer, mediaType: string | undefined): unknown {
  if (body.length === 0) return null;
  if (mediaType !== undefined && FORM_TYPE.test(mediaType)) {
    const text = body.toString();
    // Counted before they are read, which takes far longer.
    if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
      throw new InvalidRequest(`There are more than ${MOST_FIELDS} fields.`);
    return checked(named(pairsOf(text)));
  }
  if (mediaType !== undefined && JSON_TYPE.test(mediaType)) {
    if (isLarge(body)) throw new InvalidRequest('The body has more than 20,000 values.');
    return parseJson(body);
  }
  return checked(body.toString());
}

const pairsOf = (text: string): [string, string][] => [...new URLSearchParams(text)];

function named(pairs: readonly [string, string][]): Record<string, string> {
  return Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'));
}

/** As strict as JSON that was sent: PostgreSQL can store it. @throws InvalidRequest */
export function checked<T>(value: T): T {
  return parseJson(Buffer.from(JSON.stringify(value))) as T;
}
