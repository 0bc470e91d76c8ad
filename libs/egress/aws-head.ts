import { awsAuthorization, awsDate } from './aws-signature.js';
import {
  HOP_BY_HOP,
  type RawHeaders,
  requestHeaders,
  type RequestHeaderOptions,
  withoutHeaders,
} from './forwarded-headers.js';
import type { RouteSigning } from './router.js';

/** The gate's own, whatever the script sent. */
export const OF_SIGNATURE = ['Authorization', 'X-Amz-Date', 'X-Amz-Security-Token'];
/** Machines on the way may change them. */
const UNSIGNED = new Set([...HOP_BY_HOP, 'expect', 'authorization']);

interface AwsHeadOptions extends RequestHeaderOptions {
  target: string;
  signing: RouteSigning;
  payloadHash: string;
  now: Date;
}

/**
 * The headers of a request as they leave, signed: those that the client signed and that are still there, the host, and
 * each `x-amz-…`. The time is the gate's, so that no signature is for later.
 */
export function awsRequestHeaders(raw: RawHeaders, options: AwsHeadOptions): string[] {
  const { method, target, signing, payloadHash, now } = options;
  const date = awsDate(now);
  const { region, service, keys } = signing;
  const token = keys.sessionToken;
  const headers = requestHeaders(withoutHeaders(raw, OF_SIGNATURE), {
    ...options,
    secretHeaders: [
      ...options.secretHeaders,
      ...['X-Amz-Date', date],
      ...(token === undefined ? [] : ['X-Amz-Security-Token', token]),
    ],
  });
  const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const isSigned = (name: string): boolean =>
    name === 'host' || name.startsWith('x-amz-') || signing.signedHeaders.has(name);
  const signedHeaders = new Set(names.filter((name) => isSigned(name) && !UNSIGNED.has(name)));
  const request = { method, target, headers, signedHeaders, payloadHash };
  return [...headers, 'Authorization', awsAuthorization(request, keys, { region, service, date })];
}
