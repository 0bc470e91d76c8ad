import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';

import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';
import { isWhole } from './whole-number.js';

const SECONDS = { type: 'integer', minimum: 1, maximum: 3_600 } as const;
const RUNS = { type: 'integer', minimum: 1, maximum: 10_000 } as const;
const USUAL = { idleSeconds: 300, runs: 1000 };

/** How long the process that calls its function stays for further runs. */
export class KeepDto {
  /** Without a run for so long, it ends. */
  @ApiProperty(SECONDS)
  idleSeconds: number;

  /** After so many runs, it ends. */
  @ApiProperty(RUNS)
  runs: number;
}

/** How long the process that calls its function stays for further runs. */
export class KeepInput {
  /** Without a run for so long, it ends. */
  @ApiPropertyOptional({ ...SECONDS, default: USUAL.idleSeconds })
  idleSeconds?: number;

  /** After so many runs, it ends. */
  @ApiPropertyOptional({ ...RUNS, default: USUAL.runs })
  runs?: number;
}

/** The same with its defaults, as it is stored. */
export type Keep = KeepDto;

/**
 * What was asked for with its defaults; null: each run has a process of its own.
 *
 * @param version what else it says
 * @throws InvalidRequest naming each wrong field, such as `keep.runs`
 */
export function parseKeep(
  given: object | null | undefined,
  { handler, warm }: { handler: boolean; warm: boolean },
): Keep | null {
  if (given === null || given === undefined) return null;
  if (!handler) throw InvalidRequest.at('keep', 'needs `handler`: only a function can be called again');
  if (!warm)
    throw InvalidRequest.at('keep', 'contradicts `warm`, which says that nothing is there before a run');
  const details: ErrorDetail[] = [];
  const wrong = (field: string, message: string): void =>
    void details.push({ path: `keep.${field}`, message });
  for (const field of Object.keys(given)) if (!Object.hasOwn(USUAL, field)) wrong(field, 'is not known');
  const { idleSeconds = USUAL.idleSeconds, runs = USUAL.runs } = given as KeepInput;
  if (!isWhole(idleSeconds, SECONDS.minimum, SECONDS.maximum))
    wrong('idleSeconds', `must be a whole number of seconds from ${SECONDS.minimum} to ${SECONDS.maximum}`);
  if (!isWhole(runs, RUNS.minimum, RUNS.maximum))
    wrong('runs', `must be a whole number from ${RUNS.minimum} to ${RUNS.maximum}`);
  if (details.length > 0) throw InvalidRequest.listing(details);
  return { idleSeconds, runs };
}
