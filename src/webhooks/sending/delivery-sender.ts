import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import {
  type ResponseReader,
  Dialer,
  PostPool,
  type PostOrigin,
  type Posting,
} from '../../../libs/egress/index.js';
import { Tracing } from '../../core/tracing/index.js';
import { retryAfter } from '../backoff.js';
import { signatureHeader } from '../signature.js';
import type { AttemptOrigin, AttemptOutcome, Message, SendTarget, SentRequest } from './attempt.js';
import { beginAttempt, endAttempt } from './attempt-trace.js';
import { headerLines, messageHeaders, plainHeaders, timestampOf } from './request-headers.js';
import { ATTEMPT_TIMEOUT_MS, AttemptTimedOut, whyNoResponse } from './send-error.js';

const MOST_RESPONSE_BYTES = 64 * 1024;
const KEPT_RESPONSE_BYTES = 1024;
const HTTPS_PORT = 443;

/**
 * Sends signed requests over kept-alive connections. The safe dialer makes every connection: a name is checked when it
 * is resolved, and no redirect is followed.
 */
@Injectable()
export class DeliverySender implements OnApplicationShutdown {
  private readonly pool: PostPool;
  /** By URL: reading one takes longer than signing. */
  private readonly places = new Map<string, Place>();

  constructor(
    dialer: Dialer,
    private readonly tracing: Tracing,
  ) {
    this.pool = new PostPool({ dialer, limits: { kept: KEPT_RESPONSE_BYTES, most: MOST_RESPONSE_BYTES } });
  }

  /** One attempt, of at most ten seconds from the connection to the last byte of the response. Never rejects. */
  send({ url, keys }: SendTarget, message: Message, from: AttemptOrigin): Promise<AttemptOutcome> {
    return new Promise((resolve) => {
      const at = new Date();
      const began = performance.now();
      const span = beginAttempt(this.tracing, message.id, from);
      const { origin, head } = this.placeOf(url);
      const signature = signatureHeader(keys, { ...message, timestamp: timestampOf(at) });
      const request = `${head}${headerLines(messageHeaders(message, { at, signature }))}\r\n${message.body}`;
      const posting: Posting = this.pool.send(origin, request, (error, response) => {
        clearTimeout(timer);
        const durationMs = Math.round(performance.now() - began);
        const outcome = { ...outcomeOf(error, response), durationMs, at, url, signature };
        endAttempt(span, outcome);
        resolve(outcome);
      });
      const timer = setTimeout(() => posting.abort(new AttemptTimedOut()), ATTEMPT_TIMEOUT_MS);
    });
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  private placeOf(url: string): Place {
    const known = this.places.get(url);
    if (known) return known;
    if (this.places.size >= MOST_PLACES) this.places.clear();
    const place = newPlace(url);
    this.places.set(url, place);
    return place;
  }
}

/** What of a request depends on the URL alone. */
interface Place {
  origin: PostOrigin;
  head: string;
}

const MOST_PLACES = 10_000;

/** The parser of URLs leaves nothing in host, path and query that could end a line. */
function newPlace(text: string): Place {
  const url = new URL(text);
  const { hostname, port, pathname, search } = url;
  return {
    origin: { host: hostname, port: port === '' ? HTTPS_PORT : Number(port) },
    head: `POST ${pathname}${search} HTTP/1.1\r\n${headerLines(plainHeaders(url))}`,
  };
}

type Outcome = Omit<AttemptOutcome, 'durationMs' | 'at' | keyof SentRequest>;

function outcomeOf(error: Error | null, response: ResponseReader): Outcome {
  const status = response.hasHead ? response.status : null;
  if (error !== null) {
    const reason = whyNoResponse(error, response.hasHead);
    return {
      ok: false,
      status,
      error: reason,
      response: status === null ? null : textOf(response),
      retryAfterMs: null,
    };
  }
  const asksToWait = status === 429 || status === 503;
  return {
    ok: response.status >= 200 && response.status < 300,
    status,
    error: response.status >= 300 && response.status < 400 ? 'redirects are not followed' : null,
    response: textOf(response),
    retryAfterMs: asksToWait ? retryAfter(response.headers.get('retry-after')) : null,
  };
}

function textOf({ kept }: ResponseReader): string {
  if (kept.length === 0) return '';
  // As a stream, so that a character that was cut in two is left out; PostgreSQL keeps no U+0000.
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replaceAll('\0', '\ufffd');
}
