import type { IncomingMessage } from 'node:http';

import { cutText } from '../../../libs/cut-text/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { isLarge, parseJson } from '../../core/http/index.js';
import { parseWithDigits } from '../../core/json/index.js';
import { storableJson } from '../../runs/index.js';
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
  'svix-signature',
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

/**
 * What came with a body: of headers and parameters that come twice, the last. Senders that go by the older names of Standard Webhooks are taken
 * as those that go by the newer ones.
 */
export function receivedOf(message: IncomingMessage & { originalUrl?: string }, body: Buffer): Received {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
  for (const name of ['id', 'timestamp', 'signature']) {
    const other = headers[`svix-${name}`];
    if (other !== undefined) headers[`webhook-${name}`] ??= other;
  }
  const [, search = ''] = (message.originalUrl ?? message.url!).split('?', 2);
  const query = storableJson(named(pairsOf(search.split('&', MOST_FIELDS).join('&')))) as Record<
    string,
    string
  >;
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

/** Senders of these presets may put their JSON into a field of a form. */
const IN_PAYLOAD: readonly VerifyConfig['scheme'][] = ['github', 'slack'];

/**
 * The body of a request, whose sender cannot change it: what cannot be stored is replaced, and a number that JavaScript cannot hold is a
 * text of its digits.
 *
 * @throws InvalidRequest where it is not what its media type says, or too large or too deep to be read
 */
export function parseBody(body: Buffer, mediaType: string | undefined, { scheme }: VerifyConfig): unknown {
  if (body.length === 0) return null;
  const text = new TextDecoder().decode(body);
  if (mediaType !== undefined && FORM_TYPE.test(mediaType)) {
    const fields = formOf(text);
    return (IN_PAYLOAD.includes(scheme) && payloadOf(fields['payload'])) || fields;
  }
  return mediaType !== undefined && JSON_TYPE.test(mediaType) ? jsonOf(text) : storableJson(text);
}

/** Fields that come twice are lists. @throws InvalidRequest */
function formOf(text: string): Record<string, string | string[]> {
  // Counted before they are read, which takes far longer.
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw new InvalidRequest(`There are more than ${MOST_FIELDS} fields.`);
  const fields = Object.entries(Object.groupBy(pairsOf(text), ([name]) => name));
  const values = fields.map(([name, pairs = []]): [string, string | string[]] => {
    const all = pairs.map(([, value]) => value);
    return [name, all.length === 1 ? all[0]! : all];
  });
  return storableJson(named(values)) as Record<string, string | string[]>;
}

/** null: it is no JSON, so the fields are what was sent. @throws InvalidRequest where it is too large or too deep */
function payloadOf(payload: string | string[] | undefined): object | null {
  if (typeof payload !== 'string' || !/^\s*[{[]/.test(payload)) return null;
  return jsonOf(payload) as object;
}

/** @throws InvalidRequest */
function jsonOf(text: string): unknown {
  if (isLarge(Buffer.from(text))) throw new InvalidRequest('The body has more than 20,000 values.');
  let value: unknown;
  try {
    value = storableJson(parseWithDigits(text));
  } catch {
    // It says what is wrong with it.
  }
  // For its depth and names, too.
  return parseJson(Buffer.from(value === undefined ? text : JSON.stringify(value)));
}

const pairsOf = (text: string): [string, string][] => [...new URLSearchParams(text)];

function named<Value>(pairs: readonly [string, Value][]): Record<string, Value> {
  return Object.fromEntries(pairs.filter(([name]) => name !== '__proto__'));
}
