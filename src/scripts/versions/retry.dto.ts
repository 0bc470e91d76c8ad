import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { secondsForm } from '../../core/http/index.js';

export const MAX_ATTEMPTS = 10;
export const MAX_DELAY_SECONDS = 86_400;
export const MAX_FACTOR = 10;
/** `exit:75`: the command ended with this exit code. */
export const REASON = /^(failed|timed_out|lost|exit:([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5]))$/;
export const MAX_REASONS = 20;

/** Parts of a second may be given. */
const NUMBER = { type: 'number', format: 'double' } as const;

const JITTER = { ...NUMBER, minimum: 0, maximum: 1 } as const;

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

  /** Which part of each wait is random; not there: none. */
  @ApiPropertyOptional(JITTER)
  jitter?: number;

  /** What is tried again: `failed`, `timed_out`, `lost` or one exit code, as `exit:75`. */
  @ApiProperty({ type: 'array', items: { type: 'string', pattern: REASON.source } })
  on: string[];
}

/** When a run that does not end well is tried again. */
export class RetryInput {
  /** How often its command begins at most, the first time included. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ATTEMPTS })
  attempts: number;

  /** Seconds from the end of the first attempt to the second one, or a text such as `2m`. */
  @ApiPropertyOptional(secondsForm({ ...NUMBER, minimum: 0, maximum: MAX_DELAY_SECONDS, default: 10 }))
  delay?: number | string;

  /** By how much each wait is longer than the one before. */
  @ApiPropertyOptional({ ...NUMBER, minimum: 1, maximum: MAX_FACTOR, default: 2 })
  factor?: number;

  /** The longest wait, in seconds or as a text such as `1h`. */
  @ApiPropertyOptional(secondsForm({ ...NUMBER, minimum: 0, maximum: MAX_DELAY_SECONDS, default: 3600 }))
  maxDelay?: number | string;

  /** Which part of each wait is random, so that runs that failed together are not tried together: 0.5 waits for half to all of it. */
  @ApiPropertyOptional({ ...JITTER, default: 0 })
  jitter?: number;

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
