import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { MAX_LIMIT, ON_LIMIT, type ConcurrencyDto } from './concurrency.dto.js';
import { keyProblems } from './key-template.js';

const KNOWN = ['limit', 'key', 'onLimit'];

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
