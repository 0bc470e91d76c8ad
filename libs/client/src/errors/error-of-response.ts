import { type ErrorDetail, ApiError, ERROR_CLASSES } from './api-errors.js';
import { type GatehouseError, UnexpectedResponseError } from './errors.js';

export interface Envelope {
  error: { code: string; message: string; requestId?: string; docs?: string; details?: ErrorDetail[] };
}

/** What a response that is not a success is thrown as. @param url what was asked */
export async function errorOfResponse(response: Response, url: string): Promise<GatehouseError> {
  const body: unknown = await response.json().catch(() => null);
  const { status } = response;
  if (!isEnvelope(body)) {
    const { origin } = new URL(url);
    return new UnexpectedResponseError(
      OF_PROXIES.has(status)
        ? `${proxyOf(response)} at ${origin} responded with status ${status}: it does not reach Gatehouse behind it. Is that running, and is the proxy's address of it right?`
        : `${origin} responded with status ${status} and not as Gatehouse does. Is \`baseUrl\` right, or is something in between down?`,
      status,
    );
  }
  return apiErrorOf(body, status, retryAfterMs(response.headers));
}

/** What proxies say where what is behind them does not respond. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 503, 504]);

/** A proxy by the name that it gives itself. It is a stranger's word: a short one, or none. */
function proxyOf({ headers }: Response): string {
  const name = headers.get('server') ?? '';
  return /^[\w./() +-]{1,40}$/.test(name) ? `A proxy (${name})` : 'A proxy';
}

/** An error envelope as an error of its code's class. */
export function apiErrorOf({ error }: Envelope, status: number, retryAfterMs?: number): ApiError {
  const kind = Object.hasOwn(ERROR_CLASSES, error.code) ? ERROR_CLASSES[error.code]! : ApiError;
  return new kind({ ...error, status, retryAfterMs });
}

/** `Retry-After` in milliseconds from now: it is given in seconds or as a date. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function isEnvelope(body: unknown): body is Envelope {
  const error = (body as Partial<Envelope> | null)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}
