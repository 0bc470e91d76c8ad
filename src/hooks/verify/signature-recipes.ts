import type { Received } from './received.js';
import {
  type ALGORITHMS,
  DEFAULT_TOLERANCE,
  type ENCODINGS,
  type HmacConfig,
  type VerifyConfig,
} from './verify-config.js';

export type SignedConfig =
  | Exclude<VerifyConfig, { scheme: 'github' | 'gitlab' | 'shopify' | 'basic' | 'token' | 'none' }>
  | { scheme: 'github' | 'shopify'; secret: string };

/** How one kind of sender signs: where its parts are, and what is signed of them. */
export interface SignatureRecipe {
  algorithm: (typeof ALGORITHMS)[number];
  encoding: (typeof ENCODINGS)[number];
  /** The key within a secret's value. */
  key: (value: string) => string | Buffer;
  /** One of them has to be right: a sender that changes its key sends two. */
  signatures: (received: Received) => string[];
  /** Of `{body}`, `{timestamp}` and `{id}`. */
  signed: string;
  timestamp?: (received: Received) => string | undefined;
  id?: (received: Received) => string | undefined;
  tolerance?: number;
}

const STANDARD_PREFIX = 'whsec_';
/** No sender has more keys at once. */
const MOST_SIGNATURES = 10;

const asIs = (value: string): string => value;
const header =
  (name: string) =>
  ({ headers }: Received): string | undefined =>
    headers[name];

/** The signature behind a prefix in a header. */
const signatureIn =
  (name: string, prefix = '') =>
  ({ headers }: Received): string[] => {
    const value = headers[name];
    return value?.startsWith(prefix) ? [value.slice(prefix.length)] : [];
  };

/** `t=1700000000,v1=…,v1=…` of Stripe. */
function stripeParts({ headers }: Received, name: string): string[] {
  const pairs = (headers['stripe-signature'] ?? '').split(',').map((pair) => pair.trim().split('=', 2));
  return pairs
    .filter(([key]) => key === name)
    .map(([, value]) => value ?? '')
    .slice(0, MOST_SIGNATURES);
}

/** `v1,… v1,…` of Standard Webhooks. */
function standardSignatures({ headers }: Received): string[] {
  const signatures = (headers['webhook-signature'] ?? '').split(' ').slice(0, MOST_SIGNATURES);
  return signatures.filter((each) => each.startsWith('v1,')).map((each) => each.slice(3));
}

function standardKey(value: string): Buffer {
  return Buffer.from(
    value.startsWith(STANDARD_PREFIX) ? value.slice(STANDARD_PREFIX.length) : value,
    'base64',
  );
}

/** Stripe's and Slack's own names for a request are in the body, which is signed. */
const inBody =
  (...names: string[]) =>
  ({ body }: Received): string | undefined => {
    try {
      const parsed = JSON.parse(body.toString()) as Record<string, unknown> | null;
      return names.map((name) => parsed?.[name]).find((value) => typeof value === 'string') as
        string | undefined;
    } catch {
      return undefined;
    }
  };

const HEX = { algorithm: 'sha256', encoding: 'hex', key: asIs } as const;

export function recipeOf(config: SignedConfig): SignatureRecipe {
  switch (config.scheme) {
    case 'github':
      return {
        ...HEX,
        signatures: signatureIn('x-hub-signature-256', 'sha256='),
        signed: '{body}',
        id: header('x-github-delivery'),
      };
    case 'shopify':
      return {
        algorithm: 'sha256',
        encoding: 'base64',
        key: asIs,
        signatures: signatureIn('x-shopify-hmac-sha256'),
        signed: '{body}',
        id: header('x-shopify-webhook-id'),
      };
    case 'slack':
      return {
        ...HEX,
        signatures: signatureIn('x-slack-signature', 'v0='),
        signed: 'v0:{timestamp}:{body}',
        timestamp: header('x-slack-request-timestamp'),
        id: inBody('event_id'),
        tolerance: config.tolerance ?? DEFAULT_TOLERANCE,
      };
    case 'stripe':
      return {
        ...HEX,
        signatures: (received) => stripeParts(received, 'v1'),
        signed: '{timestamp}.{body}',
        timestamp: (received) => stripeParts(received, 't')[0],
        id: inBody('id'),
        tolerance: config.tolerance ?? DEFAULT_TOLERANCE,
      };
    case 'standard-webhooks':
      return {
        algorithm: 'sha256',
        encoding: 'base64',
        key: standardKey,
        signatures: standardSignatures,
        signed: '{id}.{timestamp}.{body}',
        timestamp: header('webhook-timestamp'),
        id: header('webhook-id'),
        tolerance: config.tolerance ?? DEFAULT_TOLERANCE,
      };
    case 'hmac':
      return ownRecipe(config);
  }
}

function ownRecipe({
  algorithm,
  encoding,
  prefix,
  signed = '{body}',
  ...config
}: HmacConfig): SignatureRecipe {
  return {
    algorithm,
    encoding,
    key: asIs,
    signatures: signatureIn(config.header, prefix),
    signed,
    ...(config.timestampHeader !== undefined && {
      timestamp: header(config.timestampHeader),
      tolerance: config.tolerance ?? DEFAULT_TOLERANCE,
    }),
    ...(config.idHeader !== undefined && { id: header(config.idHeader) }),
  };
}
