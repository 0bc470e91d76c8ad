import { createSafeFetch, type SafeFetch } from '../../libs/egress/index.js';

const MOST_RESPONSE_BYTES = 1_048_576;
const HEADERS_TIMEOUT_MS = 8_000;
const DIAL_MS = 4_000;

/**
 * The operator's own stores may be in private networks, and on this machine. To allow these here opens them to no script, as
 * `GATEHOUSE_OUTBOUND_ALLOW` would. Link-local addresses stay refused, and where clouds have their metadata besides.
 */
const PRIVATE_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '::1',
  'fc00::/7',
];

/** Requests to a store by the safe dialer: no redirect is followed, and no response is longer than a store's may be. */
export function createStoreFetch(ca: string | null): SafeFetch {
  return createSafeFetch({
    allow: PRIVATE_NETWORKS,
    timeoutMs: DIAL_MS,
    headersTimeoutMs: HEADERS_TIMEOUT_MS,
    maxResponseBytes: MOST_RESPONSE_BYTES,
    ...(ca !== null && { ca: [ca] }),
  });
}
