import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 37;
const CHECK_LENGTH = 6;

const TOKEN_PREFIXES = {
  apiKey: 'svc_sk_',
  personal: 'svc_pat_',
  access: 'svc_oat_',
  commandLine: 'svc_clt_',
  refresh: 'svc_ort_',
} as const;
export type TokenKind = keyof typeof TOKEN_PREFIXES;

interface IssuedToken {
  /** Shown once, never stored. */
  token: string;
  /** SHA-256 of the token: what the database holds. */
  hash: Buffer;
  last4: string;
}

/** A new bearer token: prefix, 37 random base62 characters and 6 of CRC-32 over all that stands before. */
export function issueToken(kind: TokenKind): IssuedToken {
  const body = TOKEN_PREFIXES[kind] + randomText(RANDOM_LENGTH);
  const token = body + checksum(body);
  return { token, hash: hashToken(token), last4: token.slice(-4) };
}

/** The kind of a well-formed token, or null: a mistyped one is refused here, without a look-up. */
export function tokenKind(token: string): TokenKind | null {
  for (const [kind, prefix] of Object.entries(TOKEN_PREFIXES) as [TokenKind, string][]) {
    if (!token.startsWith(prefix) || token.length !== prefix.length + RANDOM_LENGTH + CHECK_LENGTH) continue;
    return checksum(token.slice(0, -CHECK_LENGTH)) === token.slice(-CHECK_LENGTH) ? kind : null;
  }
  return null;
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Random base62 text without bias, by rejection: bytes past the last whole multiple of 62 do not count. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECK_LENGTH; place++) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
