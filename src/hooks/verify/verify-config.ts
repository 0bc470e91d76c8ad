export const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;

/** How requests to a hook prove where they come from. `secret` and the like are names of secrets of the workspace. */
export type VerifyConfig =
  | { scheme: 'standard-webhooks' | 'stripe' | 'slack'; secret: string; tolerance?: number }
  | { scheme: 'github' | 'gitlab' | 'shopify'; secret: string }
  | HmacConfig
  | { scheme: 'basic'; username: string; secret: string }
  | { scheme: 'token'; secret: string; header?: string }
  | { scheme: 'none' };

export interface HmacConfig {
  scheme: 'hmac';
  secret: string;
  /** Where the signature is. */
  header: string;
  algorithm: (typeof ALGORITHMS)[number];
  encoding: (typeof ENCODINGS)[number];
  /** What stands before the signature in its header, such as `sha256=`. */
  prefix?: string;
  /** What is signed, of `{body}`, `{timestamp}` and `{id}`. */
  signed?: string;
  timestampHeader?: string;
  idHeader?: string;
  /** Seconds that a timestamp may be away. */
  tolerance?: number;
  /** The secret that the sender shows when it looks whether the address is ours: `hub.verify_token` of Meta. */
  verifyToken?: string;
}

export type Scheme = VerifyConfig['scheme'];

export const DEFAULT_TOLERANCE = 300;

/** The secrets that it takes, by name. */
export function secretsOf(config: VerifyConfig): string[] {
  if (config.scheme === 'none') return [];
  return config.scheme === 'hmac' && config.verifyToken !== undefined
    ? [config.secret, config.verifyToken]
    : [config.secret];
}

/** Headers that prove something, and so are kept nowhere. */
export function provingHeaders(config: VerifyConfig): string[] {
  if (config.scheme === 'hmac') return [config.header];
  return config.scheme === 'token' && config.header !== undefined ? [config.header] : [];
}

/** How much a scheme proves: nothing, that the sender knows a word, or that nobody else has written this (just now). */
export function strengthOf(config: VerifyConfig): number {
  switch (config.scheme) {
    case 'none':
      return 0;
    case 'basic':
    case 'token':
    case 'gitlab':
      return 1;
    case 'github':
    case 'shopify':
      return 2;
    case 'hmac':
      if (config.signed !== undefined && !config.signed.includes('{body}')) return 1;
      return config.timestampHeader !== undefined && config.signed?.includes('{timestamp}') ? 3 : 2;
    default:
      return 3;
  }
}
