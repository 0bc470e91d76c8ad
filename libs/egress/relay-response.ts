import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { decodersFor } from './content-codings.js';
import {
  type RawHeaders,
  type ResponseHeaderOptions,
  responseHeaders,
  trailers,
} from './forwarded-headers.js';
import { Redactor } from './redactor.js';
import { valuesOf } from './request-checks.js';
import type { SecretPatterns } from './secret-patterns.js';
import { UnreadableResponse } from './upstream-failure.js';

/** The status of a part of a body. */
const PARTIAL = 206;

interface RelayOptions {
  method: string;
  /** Searched for in head and body; null passes the response on as it is. */
  patterns: SecretPatterns | null;
  secretHeaders: RawHeaders;
  /** Whether the request was signed for AWS. */
  signed: boolean;
  /** The response broke off, or could not be decoded, after its beginning was passed on. */
  onBroken: (error: unknown) => void;
}

/**
 * Passes a host's response on to the script, as fast as the script takes it.
 *
 * @throws UnreadableResponse when it cannot be passed on; nothing was sent then
 */
export function relayResponse(response: IncomingMessage, res: ServerResponse, options: RelayOptions): void {
  const { patterns, onBroken } = options;
  const status = response.statusCode ?? 0;
  const hasBody = options.method !== 'HEAD' && status !== 204 && status !== 304;
  const stages =
    hasBody && patterns ? maskingStages(response, patterns, options.signed && status === PARTIAL) : [];
  if (
    valuesOf(response.rawHeaders, 'transfer-encoding').some((coding) => coding.toLowerCase() !== 'chunked')
  ) {
    throw new UnreadableResponse('its response has a transfer encoding other than chunked');
  }
  const headOnly = options.method === 'HEAD';
  writeHead(response, res, { status, patterns, signed: options.signed, headOnly });

  let body: Readable = response;
  for (const stage of stages) {
    stage.on('error', onBroken);
    body = body.pipe(stage);
  }
  response.on('error', onBroken);
  response.once('close', () => {
    if (!response.complete) onBroken(new Error('closed'));
  });
  res.once('close', () => {
    for (const stage of stages) stage.destroy();
  });
  body.once('end', () => {
    if (!response.complete) return;
    const after = trailers(response.rawTrailers, options.secretHeaders, patterns);
    try {
      if (after.length > 0 && hasBody) res.addTrailers(after);
      res.end();
    } catch (error) {
      onBroken(error);
    }
  });
  body.pipe(res, { end: false });
  // A small body goes out with the head; a head that is followed by nothing yet must not wait for it.
  setImmediate(() => {
    if (!res.writableEnded && !res.destroyed) res.flushHeaders();
  });
}

function maskingStages(response: IncomingMessage, patterns: SecretPatterns, keepsLength: boolean): Duplex[] {
  const coding = response.headers['content-encoding'];
  const decoders = decodersFor(coding);
  if (decoders === null) {
    // The header is the host's own words, so it may hold anything.
    const masked = patterns.maskHeader(coding ?? '').slice(0, 50);
    throw new UnreadableResponse(
      `its response is encoded in a way that cannot be searched for secrets (${masked})`,
    );
  }
  return [...decoders, new Redactor(patterns, { keepsLength })];
}

function writeHead(response: IncomingMessage, res: ServerResponse, options: ResponseHeaderOptions): void {
  const { status, patterns } = options;
  const message = response.statusMessage ?? '';
  res.sendDate = false;
  try {
    const headers = responseHeaders(response.rawHeaders, options);
    res.writeHead(status, patterns ? patterns.maskHeader(message) : message, headers);
  } catch {
    throw new UnreadableResponse('the head of its response is not proper HTTP/1.1');
  }
}
