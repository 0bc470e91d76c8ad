import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { asSeconds } from '../../core/http/index.js';
import {
  MAX_ATTEMPTS,
  MAX_DELAY_SECONDS,
  MAX_FACTOR,
  MAX_REASONS,
  REASON,
  type RetryDto,
} from './retry.dto.js';

/** The same with its defaults, as it is stored. */
export type Retry = RetryDto;

type NumberField = 'attempts' | 'delay' | 'factor' | 'maxDelay' | 'jitter';

const NUMBERS: readonly [field: NumberField, least: number, most: number][] = [
  ['attempts', 1, MAX_ATTEMPTS],
  ['delay', 0, MAX_DELAY_SECONDS],
  ['factor', 1, MAX_FACTOR],
  ['maxDelay', 0, MAX_DELAY_SECONDS],
  ['jitter', 0, 1],
];

const USUAL = { delay: 10, factor: 2, maxDelay: 3600, jitter: 0, on: ['failed', 'timed_out'] };

/**
 * What was asked for with its defaults; null: never tried again.
 *
 * @param idempotent whether the version says that it may begin again after it was lost
 * @throws InvalidRequest naming each wrong field, such as `retry.delay`
 */
export function parseRetry(given: object | null | undefined, idempotent: boolean): Retry | null {
  if (given === null || given === undefined) return null;
  const details: ErrorDetail[] = [];
  const wrong = (path: string, message: string): void =>
    void details.push({ path: `retry.${path}`, message });
  const retry = { ...USUAL, ...given } as Retry & { jitter: number };
  for (const field of ['delay', 'maxDelay'] as const) retry[field] = asSeconds(retry[field]);
  const known = [...NUMBERS.map(([field]) => field as string), 'on'];
  for (const field of Object.keys(retry)) if (!known.includes(field)) wrong(field, 'is not known');
  for (const [field, least, most] of NUMBERS) {
    const value: unknown = retry[field];
    const fits = typeof value === 'number' && value >= least && value <= most;
    if (!fits || (field === 'attempts' && !Number.isInteger(value)))
      wrong(field, `must be a ${field === 'attempts' ? 'whole ' : ''}number from ${least} to ${most}`);
  }
  const on: unknown = retry.on;
  if (!Array.isArray(on) || on.length < 1 || on.length > MAX_REASONS) {
    wrong('on', `must be a list of 1 to ${MAX_REASONS} reasons`);
  } else {
    on.forEach((reason: unknown, index) => {
      if (typeof reason !== 'string' || !REASON.test(reason))
        wrong(`on.${index}`, 'must be failed, timed_out, lost or an exit code such as exit:75');
      else if (reason === 'lost' && !idempotent)
        wrong(`on.${index}`, 'needs a version that says `idempotent: true`');
    });
  }
  if (details.length > 0) throw InvalidRequest.listing(details);
  const { jitter, ...rest } = retry;
  return { ...rest, ...(jitter > 0 && { jitter }), on: [...new Set(retry.on)] };
}

/** Seconds until the attempt after `attempt`. @param random from 0 to 1 */
export function delayAfter(
  attempt: number,
  { delay, factor, maxDelay, jitter = 0 }: Retry,
  random = Math.random(),
): number {
  return Math.min(delay * factor ** (attempt - 1), maxDelay) * (1 - jitter * random);
}

/** Why an attempt did not end well. */
export type AttemptReason = 'failed' | 'timed_out' | 'lost' | `exit:${number}`;

/** Whether it is tried again. An exit code counts as `failed`, too. */
export function isTriedAgain(retry: Retry | null, attempt: number, reason: AttemptReason | null): boolean {
  if (retry === null || reason === null || attempt >= retry.attempts) return false;
  return retry.on.includes(reason) || (reason.startsWith('exit:') && retry.on.includes('failed'));
}
