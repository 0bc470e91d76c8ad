import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { KEY_FORM, KEY_PATTERN, keyProblems } from './key-template.js';
import { isWhole } from './whole-number.js';

const LONGEST_WAIT = 3_600;
const LONGEST_MAX_WAIT = 86_400;
/** Without a `maxWait`: so many times the wait. */
const WAITS = 10;
const KNOWN = ['key', 'wait', 'maxWait'];

const WAIT_FORM = { type: 'integer', minimum: 1, maximum: LONGEST_WAIT } as const;
const MAX_WAIT_FORM = { type: 'integer', minimum: 1, maximum: LONGEST_MAX_WAIT } as const;

/** How long a start waits for further ones that take its place. */
export class DebounceDto {
  /** A start takes the place of one whose inputs make the same text of it; null: of any of the script in its environment. */
  @ApiProperty(KEY_FORM)
  key: string | null;

  /** In seconds, from the newest start on. */
  @ApiProperty(WAIT_FORM)
  wait: number;

  /** In seconds, from the first start on: the run waits no longer. */
  @ApiProperty(MAX_WAIT_FORM)
  maxWait: number;
}

/** How long a start waits for further ones that take its place. */
export class DebounceInput {
  /** Text with inputs as `{name}`: a start takes the place of one whose inputs make the same of it, in one environment. Left out or null: of any of the script. */
  @ApiPropertyOptional({ ...KEY_FORM, pattern: KEY_PATTERN })
  key?: string | null;

  /** In seconds, from the newest start on. */
  @ApiProperty(WAIT_FORM)
  wait: number;

  /** In seconds, from the first start on: the run waits no longer. No less than `wait`. Left out: ten times that, a day at most. */
  @ApiPropertyOptional(MAX_WAIT_FORM)
  maxWait?: number;
}

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
  const { key = null, wait, maxWait } = given as DebounceInput;
  const isWait = isWhole(wait, 1, LONGEST_WAIT);
  if (!isWait) wrong('wait', `must be a whole number of seconds from 1 to ${LONGEST_WAIT}`);
  const most = maxWait ?? Math.min(WAITS * wait, LONGEST_MAX_WAIT);
  if (isWait && !isWhole(most, wait, LONGEST_MAX_WAIT))
    wrong('maxWait', `must be a whole number of seconds from \`wait\` to ${LONGEST_MAX_WAIT}`);
  if (key !== null) for (const message of keyProblems(key, inputSchema)) wrong('key', message);
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { key, wait, maxWait: most };
}
