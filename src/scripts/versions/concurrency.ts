import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { declaredProperties, type JsonSchema } from '../../../libs/json-schema/index.js';
import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';

const MAX_LIMIT = 1000;
const MAX_KEY_LENGTH = 200;
/** Text, and inputs as `{name}`; a command knows the same names. */
const KEY = /^(?:[^{}]|\{[A-Za-z_][A-Za-z0-9_-]{0,63}\})*$/;
const INPUT = /\{([^}]+)\}/;
const ON_LIMIT = ['queue', 'skip', 'replace'] as const;
const KNOWN = ['limit', 'key', 'onLimit'];

const LIMIT_FORM = { type: 'integer', minimum: 1, maximum: MAX_LIMIT } as const;
const KEY_FORM = { type: String, nullable: true, maxLength: MAX_KEY_LENGTH } as const;

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
  @ApiPropertyOptional({ ...KEY_FORM, pattern: KEY.source })
  key?: string | null;

  /** What becomes of a run while as many go on as may: it waits for its turn, is cancelled, or the oldest is cancelled for it. */
  @ApiPropertyOptional({ enum: ON_LIMIT, enumName: 'OnLimit', default: 'queue' })
  onLimit?: (typeof ON_LIMIT)[number];
}

/** The same with its defaults, as it is stored. */
export type Concurrency = ConcurrencyDto;

/** A part of a key: text as it is, or the value of an input. */
export type KeyPart = { text: string } | { input: string };

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

function keyProblems(key: unknown, inputSchema: JsonSchema): string[] {
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !KEY.test(key))
    return [`must be a text of at most ${MAX_KEY_LENGTH} characters, with inputs as {name}`];
  const declared = declaredProperties(inputSchema);
  return keyParts(key).flatMap((part) =>
    'input' in part && !declared.has(part.input) ? [`{${part.input}} is not a property of inputSchema`] : [],
  );
}

/** What a key is made of, in its order. */
export function keyParts(key: string | null): KeyPart[] {
  // Split by a group, every second one is what the group found.
  return (key ?? '')
    .split(INPUT)
    .map((part, index) => (index % 2 === 1 ? { input: part } : { text: part }))
    .filter((part) => !('text' in part) || part.text !== '');
}
