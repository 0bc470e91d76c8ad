import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { asSeconds } from '../../core/http/index.js';
import { LONGEST_MAX_WAIT, LONGEST_WAIT, type DebounceDto, type DebounceInput } from './debounce.dto.js';
import { keyProblems } from './key-template.js';
import { isWhole } from './whole-number.js';

/** Without a `maxWait`: so many times the wait. */
const WAITS = 10;
const KNOWN = ['key', 'wait', 'maxWait'];

/** The same with its defaults, as it is stored. */
export type Debounce = DebounceDto;

/**
 * What was asked for with its defaults; null: a start waits for no other.
 *
 * @param inputSchema of the version, whose properties a key may name
 * @throws InvalidRequest naming each wrong field, such as `debounce.wait`
 */
export function parseDebounce(given: object | null | undefined, inputSchema: JsonSchema): Debounce | null {
  if (given === null || given === undefined) return null;
  const details: ErrorDetail[] = [];
  const wrong = (field: string, message: string): void =>
    void details.push({ path: `debounce.${field}`, message });
  for (const field of Object.keys(given)) if (!KNOWN.includes(field)) wrong(field, 'is not known');
  const { key = null, ...waits } = given as DebounceInput;
  const [wait, maxWait] = [asSeconds(waits.wait) as number, asSeconds(waits.maxWait) as number | undefined];
  const isWait = isWhole(wait, 1, LONGEST_WAIT);
  if (!isWait) wrong('wait', `must be a whole number of seconds from 1 to ${LONGEST_WAIT}`);
  const most = maxWait ?? Math.min(WAITS * wait, LONGEST_MAX_WAIT);
  if (isWait && !isWhole(most, wait, LONGEST_MAX_WAIT))
    wrong('maxWait', `must be a whole number of seconds from \`wait\` to ${LONGEST_MAX_WAIT}`);
  if (key !== null) for (const message of keyProblems(key, inputSchema)) wrong('key', message);
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { key, wait, maxWait: most };
}
