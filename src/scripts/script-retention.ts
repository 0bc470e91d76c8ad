import { ApiProperty } from '@nestjs/swagger';

import { InvalidRequest } from '../core/errors/index.js';
import { isWhole } from './versions/whole-number.js';

const DAYS = { type: 'integer', minimum: 1, maximum: 3650 } as const;

/** For how long what a script leaves behind is kept, where that is less than the operator says. */
export class ScriptRetentionDto {
  /** Days from the end of a run, with its log and files. */
  @ApiProperty(DAYS)
  runs: number;
}

/** The same as it is stored. */
export type ScriptRetention = ScriptRetentionDto;

/** @throws InvalidRequest naming the field that is wrong */
export function parseRetention(given: object | null): ScriptRetention | null {
  if (given === null) return null;
  for (const field of Object.keys(given))
    if (field !== 'runs') throw InvalidRequest.at(`retention.${field}`, 'is not known');
  const { runs } = given as Partial<ScriptRetention>;
  if (!isWhole(runs, DAYS.minimum, DAYS.maximum))
    throw InvalidRequest.at(
      'retention.runs',
      `must be a whole number of days from ${DAYS.minimum} to ${DAYS.maximum}`,
    );
  return { runs: runs! };
}

/** Whether runs may be gone sooner than before. */
export function isShorter(after: ScriptRetention | null, before: ScriptRetention | null): boolean {
  return after !== null && (before === null || after.runs < before.runs);
}
