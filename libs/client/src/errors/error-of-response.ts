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
    return new UnexpectedResponseError(
      `${new URL(url).origin} responded with status ${status} and not as Gatehouse does. Is \`baseUrl\` right, or is something in between down?`,
      status,
    );
  }
  return apiErrorOf(body, status, retryAfterMs(response.headers));
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
