import { valuesOf } from './request-checks.js';
import type { SecretPatterns } from './secret-patterns.js';

/** Names and values in turn, as they stand in the message. */
export type RawHeaders = readonly string[];

/** They belong to one connection and are not passed on (RFC 9110, 7.6.1). */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** They describe bytes that masking changes. */
const OF_UNMASKED_BYTES = new Set([
  'accept-ranges',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-md5',
  'digest',
  'etag',
  'repr-digest',
  'transfer-encoding',
  'want-content-digest',
  'want-digest',
  'want-repr-digest',
]);
/** They ask for a body that could not be searched: compressed, or a part of one. */
const HINDERS_MASKING = new Set(['accept-encoding', 'range', 'if-range']);
const OF_RANGES = new Set(['range', 'if-range']);
/** What a signed request's response keeps of them: uploads in parts and downloads in ranges do not work without. */
const OF_OBJECTS = ['accept-ranges', 'etag'];
/** Methods whose requests have no body unless they say so. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/** How a message's body ends. */
type Framing = 'none' | 'length' | 'chunked';

export interface RequestHeaderOptions {
  method: string;
  /** The Host header that the other side gets. */
  host: string;
  /** Set last: whatever the script sent under these names is dropped. */
  secretHeaders: RawHeaders;
  /** Whether the response will be searched for secrets. */
  masked: boolean;
  /** Whether the request may ask for a part of a body although it is searched. Default: no. */
  ranged?: boolean;
  /** Of a body that has been read whole, which goes with its length however the script sent it. */
  bodyBytes?: number;
  /** Asks for a switch to this protocol. */
  upgrade?: string;
}

export function framingOf(raw: RawHeaders): Framing {
  if (valuesOf(raw, 'transfer-encoding').length > 0) return 'chunked';
  return valuesOf(raw, 'content-length').length > 0 ? 'length' : 'none';
}

/** A script's headers as the other side gets them. Where the body ends is said anew, never copied blindly. */
export function requestHeaders(raw: RawHeaders, options: RequestHeaderOptions): string[] {
  const { method, host, secretHeaders, masked, ranged = false, bodyBytes, upgrade } = options;
  const dropped = new Set([...connectionHeaders(raw), 'host', 'content-length']);
  // Nobody needs to be asked for what is there.
  if (bodyBytes !== undefined) dropped.add('expect');
  if (masked) for (const name of HINDERS_MASKING) if (!ranged || !OF_RANGES.has(name)) dropped.add(name);
  const names = secretHeaders.filter((_, index) => index % 2 === 0);
  const kept = filterHeaders(withoutHeaders(raw, names), (name) => !dropped.has(name));
  const framing = framingOf(raw);
  const length = bodyBytes?.toString() ?? valuesOf(raw, 'content-length')[0] ?? '0';
  const headers = ['Host', host, ...kept];
  if (masked) headers.push('Accept-Encoding', 'identity');
  if (framing === 'chunked' && bodyBytes === undefined) headers.push('Transfer-Encoding', 'chunked');
  else if (framing !== 'none' || !BODILESS.has(method)) headers.push('Content-Length', length);
  if (upgrade !== undefined) headers.push('Connection', 'Upgrade', 'Upgrade', upgrade);
  return [...headers, ...secretHeaders];
}

/** Some servers read X_Key as X-Key, so a header that differs only so would compete with one of these names. */
export function withoutHeaders(raw: RawHeaders, names: readonly string[]): string[] {
  const taken = new Set(names.map(alike));
  return filterHeaders(raw, (name) => !taken.has(alike(name)));
}

export interface ResponseHeaderOptions {
  status: number;
  /** Of a response that is searched for secrets; null leaves it as it is. */
  patterns: SecretPatterns | null;
  /** Whether the request was signed for AWS. */
  signed: boolean;
  /** Whether it asked for the head only, whose length is that of the body as it is stored. */
  headOnly: boolean;
}

export function responseHeaders(raw: RawHeaders, options: ResponseHeaderOptions): string[] {
  const { status, patterns, signed, headOnly } = options;
  const dropped = connectionHeaders(raw);
  // Named by Connection or not: without it the script would not know where the body ends.
  dropped.delete('content-length');
  if (status === 204) dropped.add('content-length');
  if (patterns) for (const name of OF_UNMASKED_BYTES) dropped.add(name);
  if (signed)
    for (const name of [...OF_OBJECTS, ...(headOnly ? ['content-length'] : [])]) dropped.delete(name);
  return maskHeaders(
    filterHeaders(raw, (name) => !dropped.has(name)),
    patterns,
  );
}

/** A response that switches protocols, with the headers that say so. */
export function upgradeHeaders(raw: RawHeaders, patterns: SecretPatterns | null): string[] {
  const dropped = connectionHeaders(raw);
  const kept = filterHeaders(raw, (name) => !dropped.has(name));
  const protocol = valuesOf(raw, 'upgrade')[0] ?? 'websocket';
  return maskHeaders(['Connection', 'Upgrade', 'Upgrade', protocol, ...kept], patterns);
}

/** Fields after the body, without those that only mean something before it. */
export function trailers(
  raw: RawHeaders,
  secretHeaders: RawHeaders,
  patterns: SecretPatterns | null,
): [string, string][] {
  const dropped = new Set([
    ...HOP_BY_HOP,
    ...OF_UNMASKED_BYTES,
    'authorization',
    'cookie',
    'host',
    'set-cookie',
  ]);
  const taken = new Set(secretHeaders.filter((_, index) => index % 2 === 0).map(alike));
  const kept = maskHeaders(
    filterHeaders(raw, (name) => !dropped.has(name) && !taken.has(alike(name))),
    patterns,
  );
  return kept.flatMap((name, index) =>
    index % 2 === 0 ? [[name, kept[index + 1] ?? ''] as [string, string]] : [],
  );
}

/** Those that are about the connection, and those that the Connection header says are. */
function connectionHeaders(raw: RawHeaders): Set<string> {
  const named = valuesOf(raw, 'connection').flatMap((value) => value.split(','));
  return new Set([...HOP_BY_HOP, ...named.map((name) => name.trim().toLowerCase())]);
}

function filterHeaders(raw: RawHeaders, keep: (name: string) => boolean): string[] {
  return raw.filter((_, index) => keep((raw[index - (index % 2)] ?? '').toLowerCase()));
}

/** A header whose very name would give a secret away is left out: a masked name would be no name. */
function maskHeaders(all: string[], patterns: SecretPatterns | null): string[] {
  const raw = patterns ? filterHeaders(all, (name) => patterns.mask(name) === name) : all;
  return patterns ? raw.map((part, index) => (index % 2 === 1 ? patterns.maskHeader(part) : part)) : raw;
}

function alike(name: string): string {
  return name.toLowerCase().replace(/_/g, '-');
}

/** Names with their values, in their order. */
export function headerPairs(raw: RawHeaders): [name: string, value: string][] {
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  );
}
