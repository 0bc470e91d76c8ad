import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { KEY_FORM, KEY_PATTERN, keyProblems } from './key-template.js';

const MAX_LIMIT = 1000;
const ON_LIMIT = ['queue', 'skip', 'replace'] as const;
const KNOWN = ['limit', 'key', 'onLimit'];

const LIMIT_FORM = { type: 'integer', minimum: 1, maximum: MAX_LIMIT } as const;

/** How many runs go on at once that share a key. */
export class ConcurrencyDto {
  @ApiProperty(LIMIT_FORM)
  limit: number;

  /** Runs share places whose inputs make the same text of it; null: all runs of the script in their environment. */
  @ApiProperty(KEY_FORM)
  key: string | null;

  /** What becomes of a run while as many go on as may. */
  @ApiProperty({ enum: ON_LIMIT, enumName: 'OnLimit' })
  onLimit: (typeof ON_LIMIT)[number];
}

/** How many runs go on at once that share a key. */
export class ConcurrencyInput {
  @ApiProperty(LIMIT_FORM)
  limit: number;

  /** Text with inputs as `{name}`: runs share places whose inputs make the same of it, in one environment. Left out or null: all runs of the script do. */
  @ApiPropertyOptional({ ...KEY_FORM, pattern: KEY_PATTERN })
  key?: string | null;

  /** What becomes of a run while as many go on as may: it waits for its turn, is cancelled, or the oldest is cancelled for it. */
  @ApiPropertyOptional({ enum: ON_LIMIT, enumName: 'OnLimit', default: 'queue' })
  onLimit?: (typeof ON_LIMIT)[number];
}

/** The same with its defaults, as it is stored. */
export type Concurrency = ConcurrencyDto;

/**
 * What was asked for with its defaults; null: any number of runs may go on.
 *
 * @param inputSchema of the version, whose properties a key may name
 * @throws InvalidRequest naming each wrong field, such as `concurrency.limit`
 */
export function parseConcurrency(
  given: object | null | undefined,
  inputSchema: JsonSchema,
): Concurrency | null {
  if (given === null || given === undefined) return null;
  const details: ErrorDetail[] = [];
  const wrong = (field: string, message: string): void =>
    void details.push({ path: `concurrency.${field}`, message });
  for (const field of Object.keys(given)) if (!KNOWN.includes(field)) wrong(field, 'is not known');
  const { limit, key, onLimit } = { key: null, onLimit: 'queue', ...given } as Concurrency;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    wrong('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  if (!ON_LIMIT.includes(onLimit)) wrong('onLimit', `must be one of ${ON_LIMIT.join(', ')}`);
  if (key !== null) for (const message of keyProblems(key, inputSchema)) wrong('key', message);
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { limit, key, onLimit };
}
