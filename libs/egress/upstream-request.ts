import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { awsRequestHeaders, OF_SIGNATURE } from './aws-head.js';
import { framingOf, requestHeaders, type RequestHeaderOptions, withoutHeaders } from './forwarded-headers.js';
import type { GateContext } from './gate-context.js';
import type { Route } from './router.js';
import { dropIdle } from './safe-agent.js';

/** The headers of responses may be longer than those of requests: policies, cookies. */
const RESPONSE_HEADER_FACTOR = 2;
/** Methods that are safe (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Begins the request to the host, signed where it has to be. The caller sends the body and ends it.
 * Secrets count as used only when there is a connection, so after the certificate was checked.
 *
 * @param body that has been read whole
 * @throws TypeError when Node finds something in the head that must not be sent
 */
export function upstreamRequest(
  gate: GateContext,
  route: Route,
  req: http.IncomingMessage,
  { upgrade, body }: { upgrade?: string; body?: Buffer } = {},
): http.ClientRequest {
  const { origin, signing } = route;
  const target = req.url ?? '/';
  const options = { ...headerOptions(gate, route, req, body), ...(upgrade !== undefined && { upgrade }) };
  const request = origin.protocol === 'https:' ? https.request : http.request;
  const agent = gate.agentFor(route.connection);
  if (upgrade !== undefined || !isRepeatable(req)) dropIdle(agent, origin, gate.timeouts.unrepeatableIdleMs);
  const up = request({
    host: origin.host,
    port: origin.port,
    method: options.method,
    path: target,
    agent,
    maxHeaderSize: gate.limits.headerBytes * RESPONSE_HEADER_FACTOR,
    insecureHTTPParser: false,
    headers:
      signing === null
        ? requestHeaders(req.rawHeaders, options)
        : awsRequestHeaders(req.rawHeaders, {
            ...options,
            target,
            signing,
            payloadHash:
              signing.payloadHash ??
              createHash('sha256')
                .update(body ?? '')
                .digest('hex'),
            now: new Date(),
          }),
  });
  // Otherwise Node drops what comes after the first 2,000.
  up.maxHeadersCount = 0;
  up.once('socket', () => {
    for (const name of route.secretNames) gate.secretUsed(name);
  });
  return up;
}

/** Whether it may be sent a second time when the pooled connection turns out to have been closed. */
export function isRepeatable({ method, rawHeaders }: http.IncomingMessage): boolean {
  return REPEATABLE.has(method ?? '') && framingOf(rawHeaders) === 'none';
}

/** As they will leave, but for what the gate attaches or signs: what they look like to whoever decides about the request. */
export function headersWithoutSecrets(
  gate: GateContext,
  route: Route,
  req: http.IncomingMessage,
  body: Buffer,
): string[] {
  const { secretHeaders, signing } = route;
  const own = secretHeaders.filter((_, index) => index % 2 === 0);
  const kept = withoutHeaders(req.rawHeaders, [...own, ...(signing ? OF_SIGNATURE : [])]);
  return requestHeaders(kept, { ...headerOptions(gate, route, req, body), secretHeaders: [] });
}

function headerOptions(
  gate: GateContext,
  { hostHeader, secretHeaders, signing }: Route,
  { method = 'GET' }: http.IncomingMessage,
  body: Buffer | undefined,
): RequestHeaderOptions {
  return {
    method,
    host: hostHeader,
    secretHeaders,
    masked: isMasked(gate),
    ranged: signing !== null,
    ...(body && { bodyBytes: body.length }),
  };
}

/**
 * Whether responses are searched for secrets. Those of every host are, for a host that gets no secret may still know one:
 * two names may lead to one service.
 */
export function isMasked(gate: GateContext): boolean {
  return !gate.patterns.isEmpty;
}
