/** Words for the codes of Node, the DNS library and OpenSSL: what went wrong, for a person who only knows the host. */

const DNS: Record<string, string> = {
  ENOTFOUND: 'there is no such name',
  ENODATA: 'the name has no address',
  ETIMEOUT: 'no name server answered in time',
  ECONNREFUSED: 'no name server could be reached',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused to answer',
};

const CONNECT: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed at once',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ERR_SOCKET_CONNECTION_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
};

const CERTIFICATE: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'its authority is not trusted',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  INVALID_CA: 'it was issued by a certificate that may not issue any',
  INVALID_PURPOSE: 'it is not for servers',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not trusted',
};

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** @param error what a look-up rejected with, or anything when it took too long */
export function whyDnsFailed(error: unknown): string {
  const code = codeOf(error);
  return (
    DNS[code] ??
    (code === '' ? 'the name was not resolved in time' : `the name could not be resolved (${code})`)
  );
}

/** @param error of the one address, an AggregateError of several, or anything when it took too long */
export function whyConnectFailed(error: unknown): string {
  const code = codeOf(error instanceof AggregateError ? error.errors[0] : error);
  return CONNECT[code] ?? (code === '' ? 'no connection in time' : `no connection (${code})`);
}

/**
 * @param error a TLS socket's, or anything when it took too long
 * @param hasOwn whether the host has authorities of its own
 */
export function whyTlsFailed(error: unknown, hasOwn = false): string {
  const code = codeOf(error);
  const why = CERTIFICATE[code];
  const against = hasOwn ? '; it is checked by the authorities of this host alone' : '';
  if (why !== undefined) return `its certificate is not to be trusted: ${why} (${code})${against}`;
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return 'it does not speak TLS on this port';
  }
  if (code === 'ECONNRESET') return 'it closed the connection during the TLS handshake';
  if (code !== '') return `the TLS handshake failed (${code})`;
  const closed = error instanceof Error && error.message === 'the connection was closed';
  return closed ? 'it closed the connection during the TLS handshake' : 'no TLS handshake in time';
}
