import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';

import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';

export const MAX_ATTEMPTS = 10;
const MAX_DELAY_SECONDS = 86_400;
const MAX_FACTOR = 10;
/** `exit:75`: the command ended with this exit code. */
const REASON = /^(failed|timed_out|lost|exit:([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5]))$/;
const MAX_REASONS = 20;

/** Parts of a second may be given. */
const NUMBER = { type: 'number', format: 'double' } as const;

/** When a run that did not end well is tried again. */
export class RetryDto {
  /** How often its command begins, the first time included. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ATTEMPTS })
  attempts: number;

  /** Seconds from the end of the first attempt to the second one. */
  @ApiProperty(NUMBER)
  delay: number;

  /** By how much each wait is longer than the one before. */
  @ApiProperty(NUMBER)
  factor: number;

  /** The longest wait, in seconds. */
  @ApiProperty(NUMBER)
  maxDelay: number;

  /** What is tried again: `failed`, `timed_out`, `lost` or one exit code, as `exit:75`. */
  @ApiProperty({ type: 'array', items: { type: 'string', pattern: REASON.source } })
  on: string[];
}

/** When a run that does not end well is tried again. */
export class RetryInput {
  /** How often its command begins at most, the first time included. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ATTEMPTS })
  attempts: number;

  /** Seconds from the end of the first attempt to the second one. */
  @ApiPropertyOptional({ ...NUMBER, minimum: 0, maximum: MAX_DELAY_SECONDS, default: 10 })
  delay?: number;

  /** By how much each wait is longer than the one before. */
  @ApiPropertyOptional({ ...NUMBER, minimum: 1, maximum: MAX_FACTOR, default: 2 })
  factor?: number;

  /** The longest wait, in seconds. */
  @ApiPropertyOptional({ ...NUMBER, minimum: 0, maximum: MAX_DELAY_SECONDS, default: 3600 })
  maxDelay?: number;

  /**
   * What is tried again: `failed`, whatever the exit code, `timed_out`, one exit code as `exit:75`, or `lost`, where its worker
   * died or was stopped meanwhile. `lost` needs a version that is `idempotent`.
   */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: REASON.source },
    minItems: 1,
    maxItems: MAX_REASONS,
    default: ['failed', 'timed_out'],
  })
  on?: string[];
}

/** The same with its defaults, as it is stored. */
export type Retry = RetryDto;

const NUMBERS: readonly [field: 'attempts' | 'delay' | 'factor' | 'maxDelay', least: number, most: number][] =
  [
    ['attempts', 1, MAX_ATTEMPTS],
    ['delay', 0, MAX_DELAY_SECONDS],
    ['factor', 1, MAX_FACTOR],
    ['maxDelay', 0, MAX_DELAY_SECONDS],
  ];

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
  const retry = { delay: 10, factor: 2, maxDelay: 3600, on: ['failed', 'timed_out'], ...given } as Retry;
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
  return { ...retry, on: [...new Set(retry.on)] };
}

/** Seconds until the attempt after `attempt`. */
export function delayAfter(attempt: number, { delay, factor, maxDelay }: Retry): number {
  return Math.min(delay * factor ** (attempt - 1), maxDelay);
}

/** Why an attempt did not end well. */
export type AttemptReason = 'failed' | 'timed_out' | 'lost' | `exit:${number}`;

/** Whether it is tried again. An exit code counts as `failed`, too. */
export function isTriedAgain(retry: Retry | null, attempt: number, reason: AttemptReason | null): boolean {
  if (retry === null || reason === null || attempt >= retry.attempts) return false;
  return retry.on.includes(reason) || (reason.startsWith('exit:') && retry.on.includes('failed'));
}
