import { errorOfResponse } from '../errors/error-of-response.js';
import { ConnectionError, TimeoutError, UnexpectedResponseError } from '../errors/errors.js';
import { retryWait } from './retry-wait.js';
import type { CallOptions, GatehouseOptions } from './settings.js';
import { sleep } from './sleep.js';

const RETRIES = 3;
const TIMEOUT_MS = 120_000;
const READS = new Set(['GET', 'HEAD']);
export const EVENTS = 'text/event-stream';

/** A body that is not in the request itself, since it is read anew for each try. */
export interface RequestBody {
  open(): BodyInit | Promise<BodyInit>;
  /** Whether it can be opened a second time. */
  repeatable: boolean;
  /** Its media type. */
  type: string;
}

export interface TransportCall extends CallOptions {
  body?: RequestBody;
  /** The media type that a response with content has to have. */
  type?: string;
}

/** Sends requests, with the credential, and again where they failed in passing. */
export class Transport {
  constructor(private readonly options: GatehouseOptions) {}

  /**
   * @throws ApiError where the service refuses the request
   * @throws ConnectionError where no response came, in the last of the tries
   */
  async send(request: Request, call: TransportCall = {}): Promise<Response> {
    const retries = this.mayRepeat(request, call) ? (call.retries ?? this.options.retries ?? RETRIES) : 0;
    for (let tried = 0; ; tried++) {
      try {
        return await this.try(request, call, retries > 0);
      } catch (failure) {
        const wait = request.signal.aborted || retries === 0 ? null : retryWait(failure, tried, retries);
        if (wait === null) throw failure;
        await sleep(wait, request.signal);
      }
    }
  }

  /** Without a key, a write that failed may have been carried out. */
  private mayRepeat(request: Request, { body }: TransportCall): boolean {
    if (body && !body.repeatable) return false;
    return READS.has(request.method) || request.headers.has('idempotency-key');
  }

  private async try(request: Request, call: TransportCall, again: boolean): Promise<Response> {
    const response = await this.fetch(await this.prepared(request, call, again), call);
    if (response.ok) return whole(checked(response, request, call), request, call);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      const target = response.headers.get('location');
      throw new UnexpectedResponseError(
        `${new URL(request.url).origin} redirects${target === null ? '' : ` to ${target}`}. Set \`baseUrl\` to where the service is.`,
        response.status,
      );
    }
    throw await errorOfResponse(response, request.url);
  }

  private async prepared(request: Request, { body }: TransportCall, again: boolean): Promise<Request> {
    const { token } = this.options;
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
    // A redirect would carry a write on as a read.
    const init: RequestInit & { duplex?: 'half' } = { headers, redirect: 'manual' };
    if (!body) return new Request(again ? request.clone() : request, init);
    headers.set('content-type', body.type);
    return new Request(request, { ...init, body: await body.open(), duplex: 'half' } as RequestInit);
  }

  /** The time-out ends with the response's headers: what follows may be a stream. */
  private async fetch(request: Request, call: TransportCall): Promise<Response> {
    const timeoutMs = call.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS;
    const { url } = request;
    const { origin } = new URL(url);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const signal = AbortSignal.any([request.signal, late.signal]);
      const send = this.options.fetch ?? globalThis.fetch;
      return await send(new Request(request, { signal }));
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (late.signal.aborted) throw new TimeoutError(`${origin} did not respond within ${timeoutMs} ms.`);
      throw new ConnectionError(`${origin} could not be reached: ${causeOf(error, url)}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

function checked(response: Response, { url, headers }: Request, call: TransportCall): Response {
  // A page of a proxy would be taken for a stream that has ended.
  const type = headers.get('accept') === EVENTS ? EVENTS : call.type;
  const given = response.headers.get('content-type') ?? '';
  if (type === undefined || response.status === 204 || given.startsWith(type)) return response;
  throw new UnexpectedResponseError(
    `${new URL(url).origin} responded, but not as Gatehouse does. Is \`baseUrl\` right?`,
    response.status,
  );
}

/** JSON is read here, where a connection that breaks half-way is known for what it is, and another try may be made. */
async function whole(
  response: Response,
  { url, signal }: Request,
  { type }: TransportCall,
): Promise<Response> {
  if (type === undefined || response.status === 204) return response;
  const { status, headers } = response;
  try {
    return new Response(await response.arrayBuffer(), { status, headers });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ConnectionError(`The response of ${new URL(url).origin} broke off: ${causeOf(error, url)}.`, {
      cause: error,
    });
  }
}

/** `fetch` says "fetch failed" and keeps the reason to itself. */
function causeOf(error: unknown, url: string): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? (cause?.message || message || String(error));
  return isElsewhere(url)
    ? `${reason} (the page is of another origin, which the service does not let in)`
    : reason;
}

/** In a browser, the service responds to pages of its own origin only. A browser does not say that this is why. */
function isElsewhere(url: string): boolean {
  const { location } = globalThis as { location?: { origin: string } };
  return location !== undefined && location.origin !== new URL(url).origin;
}
