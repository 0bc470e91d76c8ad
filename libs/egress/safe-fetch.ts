import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import {
  createSafeAgent,
  createSafePlainAgent,
  type SafeAgentOptions,
  UNREPEATABLE_IDLE_MS,
} from './safe-agent.js';

interface SafeFetchOptions extends SafeAgentOptions {
  /** A longer response is cut off with an error. Default: no limit. */
  maxResponseBytes?: number;
  /** From the start until the response's headers are there, in ms. Default 30 s. */
  headersTimeoutMs?: number;
}

export interface SafeFetch {
  /** Takes the usual arguments, with a body that is a text or bytes. `redirect`, `dispatcher` and the like are ignored. */
  fetch: typeof fetch;
  /** Ends its connections, also those in use. */
  close(): void;
}

const DEFAULT_HEADERS_TIMEOUT_MS = 30_000;
/** Responses of these statuses have no body, and the constructor of `Response` refuses them one. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` whose connections are all made by a `Dialer`. It follows no redirect, and knows no proxy, no cookies and no
 * compressed responses. It rejects with the dialer's error or the signal's reason.
 *
 * @example
 * const outside = createSafeFetch({ allow: settings.outboundAllow, maxResponseBytes: 5120 });
 * const response = await outside.fetch('https://app.example/client.json');
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  // No request is repeated.
  const pooled = { idleMs: UNREPEATABLE_IDLE_MS, ...options };
  const agents = { 'https:': createSafeAgent(pooled), 'http:': createSafePlainAgent(pooled) };
  return {
    fetch: async (resource, init) => {
      const request = new Request(resource, plain(init));
      const url = new URL(request.url);
      if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new TypeError(`${url.protocol} addresses cannot be fetched.`);
      }
      // Read before anything is dialled, so that the length is known to the other side.
      const body = request.body ? Buffer.from(await request.arrayBuffer()) : null;
      const message = await respond(url, request, body, agents[url.protocol], options);
      return responseOf(message, options.maxResponseBytes ?? Infinity);
    },
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  };
}

/** Without what only Node's own `fetch` understands, which it refuses where a library of another version made it. */
function plain(init: RequestInit | undefined): RequestInit {
  const { method, headers, body, signal } = init ?? {};
  return {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
}

/** @param asked is kept until the response has ended: a signal is deaf once the request that it belongs to is forgotten. */
function respond(
  url: URL,
  asked: Request,
  body: Buffer | null,
  agent: https.Agent | http.Agent,
  { headersTimeoutMs = DEFAULT_HEADERS_TIMEOUT_MS }: SafeFetchOptions,
): Promise<http.IncomingMessage> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const tooSlow = AbortSignal.timeout(headersTimeoutMs);
    const request = client.request(url, {
      agent,
      method: asked.method,
      headers: { ...Object.fromEntries(asked.headers), ...(body && { 'content-length': body.length }) },
    });
    const giveUp = (): unknown => request.destroy(reasonOf(asked.signal.aborted ? asked.signal : tooSlow));
    tooSlow.addEventListener('abort', giveUp);
    asked.signal.addEventListener('abort', giveUp);
    request.once('response', (message) => {
      tooSlow.removeEventListener('abort', giveUp);
      const cut = (): unknown => message.destroy(reasonOf(asked.signal));
      asked.signal.removeEventListener('abort', giveUp);
      asked.signal.addEventListener('abort', cut);
      message.once('close', () => asked.signal.removeEventListener('abort', cut));
      resolve(message);
    });
    request.on('error', (error) => reject(asked.signal.aborted ? reasonOf(asked.signal) : error));
    if (asked.signal.aborted) giveUp();
    request.end(body ?? undefined);
  });
}

function responseOf(message: http.IncomingMessage, mostBytes: number): Response {
  const status = message.statusCode!;
  const headers = new Headers();
  for (let place = 0; place < message.rawHeaders.length; place += 2) {
    headers.append(message.rawHeaders[place]!, message.rawHeaders[place + 1]!);
  }
  if (WITHOUT_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const bytes = Readable.from(upTo(mostBytes, message), { objectMode: false });
  return new Response(Readable.toWeb(bytes) as ReadableStream, { status, headers });
}

/** Leaving the loop, by an error or because nobody reads on, ends the connection. */
async function* upTo(mostBytes: number, message: http.IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new RangeError(`The response is longer than ${mostBytes} bytes.`);
    yield chunk;
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
