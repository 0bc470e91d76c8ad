import {
  ApiError,
  IdempotencyInProgressError,
  RateLimitedError,
  UnavailableError,
} from '../errors/api-errors.js';
import { ConnectionError, UnexpectedResponseError } from '../errors/errors.js';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Whoever is asked to wait for longer is better told. */
const LONGEST_ASKED_WAIT_MS = 60_000;
/** Of proxies, whose service is away for a moment. */
const PASSING_STATUSES = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the next try, in milliseconds; null where another try would not help.
 *
 * @param tried how often it failed before
 */
export function retryWait(
  failure: unknown,
  tried: number,
  retries: number,
  random = Math.random,
): number | null {
  // An earlier try of this very request is being carried out still: its response is worth waiting for.
  if (failure instanceof IdempotencyInProgressError) return (failure.retryAfterMs ?? 1_000) + random() * 250;
  if (tried >= retries || !isPassing(failure)) return null;
  const asked = failure instanceof ApiError ? failure.retryAfterMs : undefined;
  if (asked !== undefined) return asked > LONGEST_ASKED_WAIT_MS ? null : asked + random() * 250;
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tried);
  return most / 2 + (random() * most) / 2;
}

/** Whether the same request may well succeed a little later. */
export function isPassing(failure: unknown): boolean {
  if (failure instanceof UnexpectedResponseError) return PASSING_STATUSES.has(failure.status);
  return (
    failure instanceof ConnectionError ||
    failure instanceof RateLimitedError ||
    failure instanceof UnavailableError
  );
}
