import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { decodersFor } from './content-codings.js';
import { type RawHeaders, responseHeaders, trailers } from './forwarded-headers.js';
import { Redactor } from './redactor.js';
import { valuesOf } from './request-checks.js';
import type { SecretPatterns } from './secret-patterns.js';
import { UnreadableAnswer } from './upstream-failure.js';

export interface AnswerOptions {
  method: string;
  /** Searched for in head and body; null passes the answer on as it is. */
  patterns: SecretPatterns | null;
  secretHeaders: RawHeaders;
  /** The answer broke off, or could not be decoded, after its beginning was passed on. */
  onBroken: (error: unknown) => void;
}

/**
 * Passes a host's answer on to the script, as fast as the script takes it.
 *
 * @throws UnreadableAnswer when it cannot be passed on; nothing was sent then
 */
export function relayAnswer(answer: IncomingMessage, res: ServerResponse, options: AnswerOptions): void {
  const { patterns, onBroken } = options;
  const status = answer.statusCode ?? 0;
  const hasBody = options.method !== 'HEAD' && status !== 204 && status !== 304;
  const stages = hasBody && patterns ? maskingStages(answer, patterns) : [];
  if (valuesOf(answer.rawHeaders, 'transfer-encoding').some((coding) => coding.toLowerCase() !== 'chunked')) {
    throw new UnreadableAnswer('its answer has a transfer encoding other than chunked');
  }
  writeHead(answer, res, status, patterns);

  let body: Readable = answer;
  for (const stage of stages) {
    stage.on('error', onBroken);
    body = body.pipe(stage);
  }
  answer.on('error', onBroken);
  answer.once('close', () => {
    if (!answer.complete) onBroken(new Error('closed'));
  });
  res.once('close', () => {
    for (const stage of stages) stage.destroy();
  });
  body.once('end', () => {
    if (!answer.complete) return;
    const after = trailers(answer.rawTrailers, options.secretHeaders, patterns);
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

function maskingStages(answer: IncomingMessage, patterns: SecretPatterns): Duplex[] {
  const coding = answer.headers['content-encoding'];
  const decoders = decodersFor(coding);
  if (decoders === null) {
    // The header is the host's own words, so it may hold anything.
    const shown = patterns.maskHeader(coding ?? '').slice(0, 50);
    throw new UnreadableAnswer(
      `its answer is encoded in a way that cannot be searched for secrets (${shown})`,
    );
  }
  return [...decoders, new Redactor(patterns)];
}

function writeHead(
  answer: IncomingMessage,
  res: ServerResponse,
  status: number,
  patterns: SecretPatterns | null,
): void {
  const message = answer.statusMessage ?? '';
  res.sendDate = false;
  try {
    const headers = responseHeaders(answer.rawHeaders, status, patterns);
    res.writeHead(status, patterns ? patterns.maskHeader(message) : message, headers);
  } catch {
    throw new UnreadableAnswer('the head of its answer is not proper HTTP/1.1');
  }
}
